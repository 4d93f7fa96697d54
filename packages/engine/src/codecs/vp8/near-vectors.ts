/** Places of vectors around a macroblock, RFC 6386 §16.3: none, the one most are like, the next. */
export const ZERO = 0
export const NEAREST = 1
export const NEAR = 2
const THIRD = 3
/** Quarters of a sample along a macroblock. */
const MACROBLOCK = 64

/** A vector as one number: its row and its column, in quarters of a sample. */
export function pack(row: number, column: number): number {
  return (row << 16) | (column & 0xffff)
}

/** Vectors of the macroblocks of a frame, and those around one of them. Outside the frame nothing moves. */
export class NearVectors {
  readonly counts = new Uint8Array(4)
  readonly vectors = new Int32Array(4)
  readonly #wide: number
  readonly #high: number
  /** With a column in front and a row above that stay as they are. */
  readonly #stride: number
  readonly #references: Uint8Array
  readonly #moved: Int32Array
  readonly #split: Uint8Array

  constructor(wide: number, high: number) {
    this.#wide = wide
    this.#high = high
    this.#stride = wide + 1
    const places = this.#stride * (high + 1)
    this.#references = new Uint8Array(places)
    this.#moved = new Int32Array(places)
    this.#split = new Uint8Array(places)
  }

  /** Keeps a macroblock; reference 0 is its own frame. */
  put(x: number, y: number, reference: number, vector: number, isSplit: boolean): void {
    const at = this.#at(x, y)
    this.#references[at] = reference
    this.#moved[at] = vector
    this.#split[at] = Number(isSplit)
  }

  /** Counts the vectors above, to the left and at the corner, as one of a macroblock with this reference. */
  find(x: number, y: number, reference: number, reversed: readonly boolean[]): void {
    const { counts, vectors } = this
    counts.fill(0)
    vectors.fill(0)
    const at = this.#at(x, y)
    let last = ZERO
    this.#around(at, (place, weight) => {
      const other = this.#references[place]
      if (other === 0) return
      let vector = this.#moved[place]
      if (vector === 0) {
        counts[ZERO] += weight
        return
      }
      if (reversed[other] !== reversed[reference]) vector = pack(-(vector >> 16), -((vector << 16) >> 16))
      if (last === ZERO || vector !== vectors[last]) vectors[++last] = vector
      counts[last] += weight
    })
  }

  /** Puts the vector that more are like in front. */
  order(): void {
    const { counts, vectors } = this
    if (counts[THIRD] > 0 && vectors[THIRD] === vectors[NEAREST]) counts[NEAREST]++
    if (counts[NEAR] <= counts[NEAREST]) return
    const [count, vector] = [counts[NEAR], vectors[NEAR]]
    counts[NEAR] = counts[NEAREST]
    vectors[NEAR] = vectors[NEAREST]
    counts[NEAREST] = count
    vectors[NEAREST] = vector
  }

  /** How many of those around are divided, as the context of whether one is. */
  splits(x: number, y: number): number {
    let sum = 0
    this.#around(this.#at(x, y), (place, weight) => {
      sum += weight * this.#split[place]
    })
    return sum
  }

  /** A vector that points no farther than a macroblock beyond the frame. */
  clamped(vector: number, x: number, y: number): number {
    const within = (part: number, at: number, count: number): number =>
      Math.min(Math.max(part, -MACROBLOCK * (at + 1)), MACROBLOCK * (count - at))
    return pack(within(vector >> 16, y, this.#high), within((vector << 16) >> 16, x, this.#wide))
  }

  #at(x: number, y: number): number {
    return this.#stride * (y + 1) + x + 1
  }

  #around(at: number, see: (place: number, weight: number) => void): void {
    see(at - this.#stride, 2)
    see(at - 1, 2)
    see(at - this.#stride - 1, 1)
  }
}
