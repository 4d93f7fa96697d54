import type { Piece } from '../reading/pieces.ts'

/** MCUs on both sides of a loss by whose length in bits its own are counted. */
const BESIDE = 64
/** How far the count is off, as a part of it and in MCUs: what was read before damage was noticed is invented. */
const OFF_PART = 0.25
const OFF_MCUS = 4
/** How often bytes are overwritten, so that the count holds; else some were cut out or put in, and any number is as likely. */
const OVERWRITTEN = 0.9
/** Where all losses together are as many MCUs as their bits tell, within this part, bytes were surely overwritten. */
const AGREES = 0.2
const SURELY_OVERWRITTEN = 0.99999

/** How many MCUs are lost in front of each piece, by the bits between them and how long MCUs beside them are. */
export class LossEvidence {
  readonly #expected: readonly number[]
  /** MCUs at the end of each piece that were probably invented, and count among those lost behind it. */
  readonly #invented: readonly number[]
  /** Those of each piece and all behind it, but for the last one's. */
  readonly #inventedFrom: Float64Array
  /** Expected in front of each piece and all behind it, and the variance of that. */
  readonly #sums: number[]
  readonly #variances: number[]
  readonly #unknown: number
  /** All losses come to what their bits tell. */
  readonly agrees: boolean
  readonly #overwritten: number

  /**
   * `starts`: the first bit of each MCU of the stream; `missing`: MCUs that all losses must come to, undefined where that is not
   * known; `inventedAt` a piece's end, how many MCUs probably were.
   */
  constructor(
    pieces: readonly Piece[],
    starts: Uint32Array,
    usualBits: number,
    mcuCount: number,
    missing: number | undefined,
    inventedAt: (piece: Piece) => number = () => 0,
  ) {
    this.#invented = pieces.map(inventedAt)
    this.#expected = pieces.map((piece, index) => {
      const before = pieces[index - 1]
      const invented = before ? this.#invented[index - 1] : 0
      const end = !before ? 0 : invented > 0 ? starts[before.first + before.count - invented] : before.endBit
      return Math.max(0, piece.startBit - end) / bitsBeside(before, piece, starts, usualBits, invented)
    })
    const count = pieces.length
    this.#inventedFrom = new Float64Array(count + 1)
    for (let i = count - 2; i >= 0; i--) this.#inventedFrom[i] = this.#inventedFrom[i + 1] + this.#invented[i]
    this.#sums = new Array<number>(count + 1).fill(0)
    this.#variances = new Array<number>(count + 1).fill(0)
    for (let i = count - 1; i >= 0; i--) {
      this.#sums[i] = this.#sums[i + 1] + this.#expected[i]
      this.#variances[i] = this.#variances[i + 1] + deviation(this.#expected[i]) ** 2
    }
    this.#unknown = -Math.log(mcuCount)
    this.agrees =
      missing !== undefined &&
      Math.abs(missing + this.inventedFrom(0) - this.#sums[0]) <= AGREES * this.#sums[0] + OFF_MCUS * count
    this.#overwritten = this.agrees ? SURELY_OVERWRITTEN : OVERWRITTEN
  }

  /** MCUs of the picture between the end of the piece in front and a piece. */
  expected(index: number): number {
    return Math.max(0, this.#expected[index] - this.inventedBefore(index))
  }

  /** How likely it is that a piece stands `gap` MCUs behind the one in front: a logarithm. */
  of(index: number, gap: number): number {
    const lost = gap + this.inventedBefore(index)
    return this.#likely(lost, this.#expected[index], deviation(this.#expected[index]), this.#overwritten)
  }

  /** MCUs probably invented at the end of the piece in front of one. */
  inventedBefore(index: number): number {
    return index > 0 ? this.#invented[index - 1] : 0
  }

  /** MCUs probably invented at the ends of a piece and of those behind it, but for the last one's. */
  inventedFrom(index: number): number {
    return this.#inventedFrom[index]
  }

  /** How likely it is that all losses behind a piece come to `room` MCUs. */
  behind(index: number, room: number): number {
    const next = index + 1
    if (next >= this.#expected.length) return 0
    // each of them may be of the other kind
    const share = this.#overwritten ** (this.#expected.length - next)
    return this.#likely(
      room + this.inventedFrom(index),
      this.#sums[next],
      Math.sqrt(this.#variances[next]),
      share,
    )
  }

  #likely(count: number, expected: number, off: number, share: number): number {
    const far = (count - expected) / off
    const usual = (share / (off * Math.sqrt(2 * Math.PI))) * Math.exp((-far * far) / 2)
    return Math.log(usual + (1 - share) * Math.exp(this.#unknown))
  }
}

function deviation(expected: number): number {
  return OFF_PART * expected + OFF_MCUS
}

/** Bits of MCUs at the end of one piece and at the start of the next. */
function bitsBeside(
  before: Piece | undefined,
  piece: Piece,
  starts: Uint32Array,
  usual: number,
  invented: number,
): number {
  let bits = usual
  let mcus = 1
  const last = before ? Math.min(BESIDE, before.count - invented - 1) : 0
  if (before && last > 0) {
    const end = before.first + before.count - invented - 1
    bits += starts[end] - starts[end - last]
    mcus += last
  }
  const next = Math.min(BESIDE, piece.count - 1)
  if (next > 0) {
    bits += starts[piece.first + next] - starts[piece.first]
    mcus += next
  }
  return bits / mcus
}
