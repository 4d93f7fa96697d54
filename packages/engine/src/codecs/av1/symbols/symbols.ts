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

/** A kind with its first distributions, as §9.4 has them: for all quantisers, or for one range after the other. */
interface Kind {
  readonly symbols: Symbols
  readonly cumulative: readonly number[]
  readonly ranges: number
}

/** Films of other codecs need none of them: they are put together where they are used. */
const kinds: Kind[] = []
let places = 0

/** Gives a kind its places; `cumulative` holds the sums of each context as §9.4 has them, without the last, the whole. */
export function symbols(values: number, cumulative: readonly number[]): Symbols {
  return add(values, cumulative, 1)
}

/** The same of a kind whose first distributions depend on the quantiser: those of the four ranges follow each other. */
export function byQuantiser(values: number, cumulative: readonly number[]): Symbols {
  return add(values, cumulative, RANGES)
}

function add(values: number, cumulative: readonly number[], ranges: number): Symbols {
  const kind = { symbols: { values, at: places }, cumulative, ranges }
  kinds.push(kind)
  places += contextsOf(kind) * values
  return kind.symbols
}

function contextsOf({ symbols: { values }, cumulative, ranges }: Kind): number {
  return cumulative.length / ranges / (values - 1)
}

const made: (Uint16Array | undefined)[] = []

/** The distributions that tiles of a frame begin with, by its base_q_idx. */
export function firstDistributions(quantiser: number): Uint16Array {
  const end = RANGE_ENDS.findIndex((most) => quantiser <= most)
  const range = end < 0 ? RANGES - 1 : end
  made[range] ??= distributionsOf(range)
  return made[range]
}

function distributionsOf(range: number): Uint16Array {
  const distributions = new Uint16Array(places)
  for (const kind of kinds) {
    const { symbols, cumulative, ranges } = kind
    const contexts = contextsOf(kind)
    let from = ranges === 1 ? 0 : range * contexts * (symbols.values - 1)
    let at = symbols.at
    for (let context = 0; context < contexts; context++) {
      // what is left of the whole, then how often the context was used
      for (let i = 1; i < symbols.values; i++) distributions[at++] = WHOLE - cumulative[from++]
      at++
    }
  }
  return distributions
}

/** Places of counts. */
let counts: Uint32Array | undefined

/** Distributions as they are loaded: nothing was counted, load_cdfs. */
export function uncounted(distributions: Uint16Array): Uint16Array {
  counts ??= countPlaces()
  const loaded = distributions.slice()
  for (const at of counts) loaded[at] = 0
  return loaded
}

function countPlaces(): Uint32Array {
  return Uint32Array.from(
    kinds.flatMap((kind) => {
      const { values, at } = kind.symbols
      return Array.from({ length: contextsOf(kind) }, (_, context) => at + (context + 1) * values - 1)
    }),
  )
}
