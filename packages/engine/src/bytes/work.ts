import { Allowance } from '../model/allowance.ts'

/**
 * Steps that all searches of a file may take together, whatever it says: so many for any file, and so many for each byte of it
 * and of its sample. A step is about ten nanoseconds of an ordinary processor. Of films of 1 to 100 MB whose index is lost, those
 * without a sample whose sound has to be guessed took most: a fifth of it, one of 3 MB 172 million.
 */
const STEPS = 300e6
const STEPS_A_BYTE = 2

/** What all searches of so many bytes may take together. */
export function workOn(bytes: number): Allowance {
  return new Allowance(STEPS + STEPS_A_BYTE * bytes)
}
