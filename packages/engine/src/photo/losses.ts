import type { Piece } from './pieces.ts'

/** MCUs on both sides of a loss by whose length in bits its own are counted. */
const BESIDE = 64
/** How far the count is off, as a part of it and in MCUs: what was read before damage was noticed is invented. */
const OFF_PART = 0.25
const OFF_MCUS = 4
/** How often bytes are overwritten, so that the count holds; else some were cut out or put in, and any number is as likely. */
const OVERWRITTEN = 0.9
/** Where all losses together are as many MCUs as their bits tell, within this part, bytes were surely overwritten. */
const AGREES = 0.2
const SURELY_OVERWRITTEN = 0.995

/** How many MCUs are lost in front of each piece, by the bits between them and how long MCUs beside them are. */
export class LossEvidence {
  readonly #expected: readonly number[]
  /** Expected in front of each piece and all behind it, and the variance of that. */
  readonly #sums: number[]
  readonly #variances: number[]
  readonly #unknown: number
  readonly #overwritten: number

  /** `starts`: the first bit of each MCU of the stream; `missing`: MCUs that all losses must come to, undefined where that is not known. */
  constructor(
    pieces: readonly Piece[],
    starts: Uint32Array,
    usualBits: number,
    mcuCount: number,
    missing: number | undefined,
  ) {
    this.#expected = pieces.map((piece, index) => {
      const before = pieces[index - 1]
      const lost = before ? Math.max(0, piece.startBit - before.endBit) : piece.startBit
      return lost / bitsBeside(before, piece, starts, usualBits)
    })
    const count = pieces.length
    this.#sums = new Array<number>(count + 1).fill(0)
    this.#variances = new Array<number>(count + 1).fill(0)
    for (let i = count - 1; i >= 0; i--) {
      this.#sums[i] = this.#sums[i + 1] + this.#expected[i]
      this.#variances[i] = this.#variances[i + 1] + deviation(this.#expected[i]) ** 2
    }
    this.#unknown = -Math.log(mcuCount)
    const agrees =
      missing !== undefined && Math.abs(missing - this.#sums[0]) <= AGREES * this.#sums[0] + OFF_MCUS * count
    this.#overwritten = agrees ? SURELY_OVERWRITTEN : OVERWRITTEN
  }

  expected(index: number): number {
    return this.#expected[index]
  }

  /** How likely it is that `gap` MCUs are lost in front of a piece: a logarithm. */
  of(index: number, gap: number): number {
    return this.#likely(gap, this.#expected[index], deviation(this.#expected[index]), this.#overwritten)
  }

  /** How likely it is that all losses behind a piece come to `room` MCUs. */
  behind(index: number, room: number): number {
    const next = index + 1
    if (next >= this.#expected.length) return 0
    // each of them may be of the other kind
    const share = this.#overwritten ** (this.#expected.length - next)
    return this.#likely(room, this.#sums[next], Math.sqrt(this.#variances[next]), share)
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
function bitsBeside(before: Piece | undefined, piece: Piece, starts: Uint32Array, usual: number): number {
  let bits = usual
  let mcus = 1
  const last = before ? Math.min(BESIDE, before.count - 1) : 0
  if (before && last > 0) {
    const end = before.first + before.count - 1
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
