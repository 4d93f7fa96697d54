/** Ranges of quantisers that coefficients have first distributions for, AV1 specification (2019-01-08) §7.20. */
const RANGES = 4
/** Largest base_q_idx of each range but the last. */
const RANGE_ENDS = [20, 60, 120]
/** What a distribution adds up to. */
const WHOLE = 1 << 15

/** A kind of symbols: each context has `values` places in the array of all distributions, the first of them at `at`. */
export interface Symbols {
  readonly values: number
  readonly at: number
}

let places = 0
/** Places of counts. */
const counts: number[] = []
const firsts: number[][] = Array.from({ length: RANGES }, () => [])

/** Gives a kind its places; `cumulative` holds the sums of each context as §9.4 has them, without the last, the whole. */
export function symbols(values: number, cumulative: readonly number[]): Symbols {
  return byQuantiser(values, [...cumulative, ...cumulative, ...cumulative, ...cumulative])
}

/** The same of a kind whose first distributions depend on the quantiser: those of the four ranges follow each other. */
export function byQuantiser(values: number, cumulative: readonly number[]): Symbols {
  const kind = { values, at: places }
  const each = cumulative.length / RANGES
  for (const [range, first] of firsts.entries()) {
    for (let i = range * each; i < (range + 1) * each; i += values - 1) {
      // what is left of the whole, then how often the context was used
      first.push(...cumulative.slice(i, i + values - 1).map((sum) => WHOLE - sum), 0)
    }
  }
  for (let i = 0; i < each / (values - 1); i++) counts.push(places + values * i + values - 1)
  places += (each / (values - 1)) * values
  return kind
}

const made: (Uint16Array | undefined)[] = []

/** The distributions that tiles of a frame begin with, by its base_q_idx. */
export function firstDistributions(quantiser: number): Uint16Array {
  const end = RANGE_ENDS.findIndex((most) => quantiser <= most)
  const range = end < 0 ? RANGES - 1 : end
  made[range] ??= Uint16Array.from(firsts[range])
  return made[range]
}

/** Distributions as they are loaded: nothing was counted, load_cdfs. */
export function uncounted(distributions: Uint16Array): Uint16Array {
  const loaded = distributions.slice()
  for (const at of counts) loaded[at] = 0
  return loaded
}
