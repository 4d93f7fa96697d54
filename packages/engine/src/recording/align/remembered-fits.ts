import type { SampleChecker } from './sample-checker.ts'

/**
 * Places of which the answer is kept: those of the rows that are looked at ahead, at several shifts. A prime: samples lie at even
 * distances.
 */
const PLACES = 2039

/**
 * A checker that is asked no more than once of a place while it is near: around each row that does not fit the same rows ahead
 * are held against the same shifts again, and a unit that is no whole one may have to be read to its end.
 */
export function withRememberedFits(checker: SampleChecker): SampleChecker {
  const offsets = new Float64Array(PLACES).fill(Number.NaN)
  const sizes = new Float64Array(PLACES)
  const answers = new Uint8Array(PLACES)
  const { bits, measuredBits, weight, certain, exact, leads, sound, findsKeys } = checker
  return {
    bits,
    measuredBits,
    weight,
    certain,
    exact,
    leads,
    ...(sound ? { sound } : {}),
    ...(findsKeys ? { findsKeys } : {}),
    fits: (offset, size) => {
      const slot = Math.abs(offset) % PLACES
      if (offsets[slot] !== offset || sizes[slot] !== size) {
        answers[slot] = checker.fits(offset, size) ? 1 : 0
        offsets[slot] = offset
        sizes[slot] = size
      }
      return answers[slot] === 1
    },
    intact: (offset, size) => checker.intact(offset, size),
    measure: (offset, end) => checker.measure(offset, end),
    search: (from, end) => checker.search(from, end),
    usable: (offset, size) => checker.usable(offset, size),
  }
}
