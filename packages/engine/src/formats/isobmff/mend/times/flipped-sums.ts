import { flip } from '../bits.ts'

/** One value of a table, and what one flipped bit of it would make it. */
export interface Change {
  readonly run: number
  readonly value: number
  /** By how much the table's sum changes. */
  readonly gain: number
  /** How far the new value is from the table's usual one, less how far the old one was; in powers of two. */
  readonly strange: number
}

/** Bits of a table's value. */
export const VALUE_BITS = 32
/** Sums of two that are looked at in the time of one step of other work. */
const SUMS_A_STEP = 8

/** What each flipped bit of some values changes, and their sums. Objects are made of it only where something comes of it. */
export class FlippedSums {
  readonly #values: Float64Array | Uint32Array
  readonly #weights: Uint32Array | undefined
  readonly #length: number
  readonly #usual: number
  /** Different gains, which rise. */
  readonly #gains: Float64Array
  #all: readonly Change[] | undefined
  readonly #byGain = new Map<number, Change[]>()

  constructor(
    values: Float64Array | Uint32Array,
    weights: Uint32Array | undefined,
    length: number,
    usual: number,
  ) {
    this.#values = values
    this.#weights = weights
    this.#length = length
    this.#usual = usual
    const gains = new Float64Array(length * VALUE_BITS)
    for (let run = 0; run < length; run++) {
      const weight = weights ? weights[run] : 1
      for (let bit = 0; bit < VALUE_BITS; bit++)
        gains[run * VALUE_BITS + bit] = (flip(values[run], bit) - values[run]) * weight
    }
    gains.sort()
    let different = 0
    for (const gain of gains) if (different === 0 || gain !== gains[different - 1]) gains[different++] = gain
    this.#gains = gains.subarray(0, different)
  }

  /** Steps of work that a look for a pair takes. */
  get steps(): number {
    return 1 + Math.floor(this.#gains.length / SUMS_A_STEP)
  }

  /** Whether two gains add up to `wanted`, be they of one value. */
  hasPair(wanted: number): boolean {
    const gains = this.#gains
    let high = gains.length - 1
    for (const gain of gains) {
      const other = wanted - gain
      while (high >= 0 && gains[high] > other) high--
      if (high < 0) return false
      if (gains[high] === other) return true
    }
    return false
  }

  /** What every bit changes, value by value. */
  all(): readonly Change[] {
    if (this.#all) return this.#all
    const all: Change[] = []
    for (let run = 0; run < this.#length; run++) {
      const weight = this.#weights ? this.#weights[run] : 1
      for (const change of changesOf(run, this.#values[run], weight, this.#usual)) {
        all.push(change)
        const list = this.#byGain.get(change.gain)
        if (list) list.push(change)
        else this.#byGain.set(change.gain, [change])
      }
    }
    this.#all = all
    return all
  }

  withGain(gain: number): readonly Change[] {
    this.all()
    return this.#byGain.get(gain) ?? []
  }

  /** The changes that make values less strange, as many as are asked for, those that do most first. */
  lessStrange(most: number): readonly Change[] {
    const found: { readonly run: number; readonly bit: number; readonly strange: number }[] = []
    for (let run = 0; run < this.#length; run++) {
      for (let bit = 0; bit < VALUE_BITS; bit++) {
        const strange = strangeness(this.#values[run], flip(this.#values[run], bit), this.#usual)
        if (strange < 0) found.push({ run, bit, strange })
      }
    }
    found.sort((a, b) => a.strange - b.strange)
    return found.slice(0, most).map(({ run, bit }) => {
      const weight = this.#weights ? this.#weights[run] : 1
      return changeOf(run, this.#values[run], weight, this.#usual, bit)
    })
  }
}

/** What each flipped bit of one value would make it. */
export function changesOf(run: number, was: number, weight: number, usual: number): Change[] {
  return Array.from({ length: VALUE_BITS }, (_, bit) => changeOf(run, was, weight, usual, bit))
}

function changeOf(run: number, was: number, weight: number, usual: number, bit: number): Change {
  const value = flip(was, bit)
  return { run, value, gain: (value - was) * weight, strange: strangeness(was, value, usual) }
}

export function strangeness(was: number, is: number, usual: number): number {
  return powersFrom(is, usual) - powersFrom(was, usual)
}

/** Powers of two between a value and the usual one. */
export function powersFrom(value: number, usual: number): number {
  return Math.abs(Math.log2((value + 0.5) / (usual + 0.5)))
}
