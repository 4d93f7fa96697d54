import { TooManyUnitsError } from '../model/errors.ts'

/** Why nothing can be written then, as a report has it. */
export const TOO_MANY =
  'The file seems to hold more pictures or pieces of sound than a recording of its length can have.'

/** What a report says then: the rest of what was read is no more to be trusted. */
export const REFUSED = {
  verdict: 'unrepairable',
  reason: TOO_MANY,
  findings: [],
  omittedFindings: 0,
  strategies: [],
  sampleUsed: [],
  tracks: [],
} as const

/** What reading a recording gives; undefined where more units or tracks begin in it than one of its length can have: these are none. */
export async function unlessTooMany<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof TooManyUnitsError)) throw error
    return undefined
  }
}
