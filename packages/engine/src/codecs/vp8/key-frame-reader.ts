import { BoolDecoder } from '../bool-decoder.ts'
import { BoolCopier } from './bool-copier.ts'
import { type BeginPartition, joinKeyFrame, KEY_HEADER, type KeyFrame, readKeyFrame } from './key-frame.ts'
import { KEY_BLOCK_MODES } from './mode-probabilities.ts'

/** How far a key frame can be read. */
export interface KeyFrameCheck {
  readonly width: number
  readonly height: number
  readonly mbWide: number
  readonly mbHigh: number
  /** Macroblocks in scan order, from the first on, whose modes and coefficients are all there. */
  readonly whole: number
  /** The same of modes alone. */
  readonly modesWhole: number
  /** Bytes that the first partition takes, within `PARTITION_SLACK` more. */
  readonly modesBytes: number
  /** Every partition ends where its symbols do, as encoders leave it: hit data hardly ever come to that. */
  readonly exact: boolean
}

/** Bytes of a frame that are not to be believed. */
export interface Hole {
  readonly from: number
  readonly to: number
}

const MB = 16
const BLOCK_MODES = 10
const PER_CONTEXT = 11
const PER_BAND = 3 * PER_CONTEXT
const PER_TYPE = 8 * PER_BAND
const LAST = 16
/** Bands of coefficients by their place, RFC 6386 §13.3. */
const BANDS = Uint8Array.of(0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0)
/** Probabilities of the extra bits of large tokens, §13.2. */
const CATEGORIES = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
]
const EVEN = 128
/** Mode of a whole macroblock as its blocks' neighbours see it: DC, V, H, TM. */
const AS_BLOCKS = { dc: 0, v: 2, h: 3, tm: 1 }
/** Types of blocks, §13.3: luma beside a block of its own for DC, that block, chroma, luma with DC. */
const Y_AFTER_Y2 = 0
const Y2 = 1
const CHROMA = 2
const Y_WITH_DC = 3

/** Reads a key frame as a decoder would, without making pixels of it; undefined where its header breaks off. */
export function checkKeyFrame(bytes: Uint8Array, holes: readonly Hole[] = []): KeyFrameCheck | undefined {
  const begin: BeginPartition = (from, to) => new BoolDecoder(bytes, from, to)
  const reader = KeyFrameReader.of(bytes, holes, begin)
  return reader?.read(Infinity, Infinity)
}

/**
 * Codes a key frame anew: modes from macroblock `modesFrom` on, and coefficients from `tokensFrom` on, are the likeliest ones,
 * which leave a picture that goes on as its neighbours do.
 */
export function rewriteKeyFrame(
  bytes: Uint8Array,
  holes: readonly Hole[],
  modesFrom: number,
  tokensFrom: number,
): Uint8Array | undefined {
  const copiers: BoolCopier[] = []
  const begin: BeginPartition = (from, to) => {
    const copier = new BoolCopier(bytes, from, to)
    copiers.push(copier)
    return copier
  }
  const reader = KeyFrameReader.of(bytes, holes, begin)
  if (!reader) return undefined
  reader.read(modesFrom, tokensFrom)
  const [first, ...tokens] = copiers.map((copier) => copier.copy())
  return joinKeyFrame(bytes, first, tokens)
}

class KeyFrameReader {
  readonly #frame: KeyFrame
  readonly #tokens: BoolDecoder[]
  /** Partitions of which the end is missing, the first one in front. */
  readonly #cut: readonly boolean[]
  readonly #wide: number
  readonly #high: number
  /** Modes of blocks above and to the left. */
  readonly #modesAbove: Uint8Array
  readonly #modesLeft = new Uint8Array(4)
  /** Whether blocks above and to the left have coefficients: 4 luma, 2 and 2 chroma, 1 DC each. */
  readonly #above: Uint8Array
  readonly #left = new Uint8Array(9)

  static of(bytes: Uint8Array, holes: readonly Hole[], begin: BeginPartition): KeyFrameReader | undefined {
    const believed = (from: number, to: number): number => {
      const hit = holes.filter((hole) => hole.to > from && hole.from < to).map((hole) => hole.from)
      return Math.max(from, Math.min(to, bytes.length, ...hit))
    }
    const frame = readKeyFrame(bytes, (from, to) => begin(from, believed(from, to)))
    return frame && new KeyFrameReader(frame, bytes.length, believed, begin)
  }

  private constructor(
    frame: KeyFrame,
    size: number,
    believed: (from: number, to: number) => number,
    begin: BeginPartition,
  ) {
    this.#frame = frame
    this.#wide = Math.ceil(frame.width / MB)
    this.#high = Math.ceil(frame.height / MB)
    this.#modesAbove = new Uint8Array(4 * this.#wide)
    this.#above = new Uint8Array(9 * this.#wide)
    this.#tokens = frame.partitions.map(({ from, to }) => {
      const start = Math.min(from, size)
      return begin(start, Math.max(start, Math.min(size, believed(from, to))))
    })
    const firstEnd = KEY_HEADER + frame.firstBytes
    this.#cut = [
      believed(KEY_HEADER, firstEnd) < firstEnd,
      ...frame.partitions.map(({ from, to }) => to >= size || believed(from, to) < to),
    ]
  }

  /**
   * Reads all macroblocks; modes from `modesFrom` on, and coefficients from `tokensFrom` on, are filled where the partitions can
   * be.
   */
  read(modesFrom: number, tokensFrom: number): KeyFrameCheck {
    const { width, height, modes, partitions } = this.#frame
    const wide = this.#wide
    const high = this.#high
    const skips = new Uint8Array(wide)
    const luma = new Uint8Array(wide)
    let whole = 0
    let modesWhole = 0
    let modesIntact = true
    let intact = true
    for (let y = 0; y < high; y++) {
      const partition = y % partitions.length
      const tokens = this.#tokens[partition]
      this.#modesLeft.fill(0)
      for (let x = 0; x < wide; x++) {
        if (y * wide + x >= modesFrom) fill(modes)
        const { skip, blocks } = this.#modes(x)
        skips[x] = skip
        luma[x] = blocks
        modesIntact &&= !isBeyond(modes, this.#cut[0])
        if (modesIntact) modesWhole++
      }
      this.#left.fill(0)
      for (let x = 0; x < wide; x++) {
        if (y * wide + x >= tokensFrom) fill(tokens)
        if (intact || tokensFrom !== Infinity) this.#residual(tokens, x, skips[x] === 1, luma[x] === 1)
        intact &&= y * wide + x < modesWhole && !isBeyond(tokens, this.#cut[partition + 1])
        if (intact) whole++
      }
    }
    const exact = whole === wide * high && [modes, ...this.#tokens].every(isExact)
    const modesBytes = Math.ceil((modes.taken - WINDOW) / 8)
    return { width, height, mbWide: wide, mbHigh: high, whole, modesWhole, modesBytes, exact }
  }

  /** Modes of a macroblock, §11.2 and §16.1: whether it has no coefficients, and a mode for each block. */
  #modes(x: number): { skip: number; blocks: number } {
    const { modes, hasSegmentMap, segmentProbabilities, skipProbability } = this.#frame
    if (hasSegmentMap)
      modes.bool(
        modes.bool(segmentProbabilities[0]) === 0 ? segmentProbabilities[1] : segmentProbabilities[2],
      )
    const skip = skipProbability === undefined ? 0 : modes.bool(skipProbability)
    const above = this.#modesAbove
    const left = this.#modesLeft
    const blocks = modes.bool(145) === 0 ? 1 : 0
    if (blocks === 1) {
      for (let row = 0; row < 4; row++)
        for (let column = 0; column < 4; column++) {
          const mode = readBlockMode(
            modes,
            (above[4 * x + column] * BLOCK_MODES + left[row]) * (BLOCK_MODES - 1),
          )
          above[4 * x + column] = mode
          left[row] = mode
        }
    } else {
      const mode =
        modes.bool(156) === 1
          ? modes.bool(128) === 1
            ? AS_BLOCKS.tm
            : AS_BLOCKS.h
          : modes.bool(163) === 1
            ? AS_BLOCKS.v
            : AS_BLOCKS.dc
      above.fill(mode, 4 * x, 4 * x + 4)
      left.fill(mode)
    }
    // the mode of chroma
    if (modes.bool(142) === 1 && modes.bool(114) === 1) modes.bool(183)
    return { skip, blocks }
  }

  /** Coefficients of a macroblock, §13. */
  #residual(tokens: BoolDecoder, x: number, skip: boolean, blocks: boolean): void {
    const above = this.#above
    const left = this.#left
    const at = 9 * x
    if (skip) {
      above.fill(0, at, at + 8)
      left.fill(0, 0, 8)
      if (!blocks) {
        above[at + 8] = 0
        left[8] = 0
      }
      return
    }
    let type = Y_WITH_DC
    if (!blocks) {
      const some = this.#block(tokens, Y2, above[at + 8] + left[8], 0) > 0 ? 1 : 0
      above[at + 8] = some
      left[8] = some
      type = Y_AFTER_Y2
    }
    const first = blocks ? 0 : 1
    for (let row = 0; row < 4; row++)
      for (let column = 0; column < 4; column++) {
        const some = this.#block(tokens, type, above[at + column] + left[row], first) > first ? 1 : 0
        above[at + column] = some
        left[row] = some
      }
    for (let plane = 4; plane < 8; plane += 2)
      for (let row = 0; row < 2; row++)
        for (let column = 0; column < 2; column++) {
          const some =
            this.#block(tokens, CHROMA, above[at + plane + column] + left[plane + row], 0) > 0 ? 1 : 0
          above[at + plane + column] = some
          left[plane + row] = some
        }
  }

  /** Tokens of a block, §13.2; one past the last coefficient that is not zero. */
  #block(tokens: BoolDecoder, type: number, context: number, first: number): number {
    const p = this.#frame.coefficients
    const base = type * PER_TYPE
    let n = first
    let at = base + BANDS[n] * PER_BAND + context * PER_CONTEXT
    while (n < LAST) {
      if (tokens.bool(p[at]) === 0) return n
      while (tokens.bool(p[at + 1]) === 0) {
        n++
        if (n === LAST) return LAST
        at = base + BANDS[n] * PER_BAND
      }
      n++
      const next = base + BANDS[n] * PER_BAND
      if (tokens.bool(p[at + 2]) === 0) at = next + PER_CONTEXT
      else {
        readLarge(tokens, p, at)
        at = next + 2 * PER_CONTEXT
      }
      // the sign
      tokens.bool(EVEN)
    }
    return LAST
  }
}

/** A value above one, §13.2. */
function readLarge(tokens: BoolDecoder, p: Uint8Array, at: number): void {
  if (tokens.bool(p[at + 3]) === 0) {
    if (tokens.bool(p[at + 4]) === 1) tokens.bool(p[at + 5])
    return
  }
  if (tokens.bool(p[at + 6]) === 0) {
    if (tokens.bool(p[at + 7]) === 0) tokens.bool(159)
    else {
      tokens.bool(165)
      tokens.bool(145)
    }
    return
  }
  const high = tokens.bool(p[at + 8])
  const category = 2 * high + tokens.bool(p[at + 9 + high])
  for (const probability of CATEGORIES[category]) tokens.bool(probability)
}

/** A mode of a block of four by four, §11.2; the modes in the order of `KEY_BLOCK_MODES`. */
function readBlockMode(modes: BoolDecoder, at: number): number {
  const p = KEY_BLOCK_MODES
  if (modes.bool(p[at]) === 0) return 0
  if (modes.bool(p[at + 1]) === 0) return 1
  if (modes.bool(p[at + 2]) === 0) return 2
  if (modes.bool(p[at + 3]) === 0) {
    if (modes.bool(p[at + 4]) === 0) return 3
    return modes.bool(p[at + 5]) === 0 ? 4 : 5
  }
  if (modes.bool(p[at + 6]) === 0) return 6
  if (modes.bool(p[at + 7]) === 0) return 7
  return modes.bool(p[at + 8]) === 0 ? 8 : 9
}

/** Bits of the window that decides a symbol which may lie beyond the end of a whole partition. */
const WINDOW = 7
/** Bits that encoders leave behind the last symbol: one of 32 zeros, and what fills the last byte. */
const MOST_LEFT = 48
/** Bytes that a partition may be longer than its symbols. */
export const PARTITION_SLACK = 7

/** Whether symbols were read that the bytes do not hold; `cut`: the partition's end is missing, so that none may lie beyond. */
function isBeyond(bools: BoolDecoder, cut: boolean): boolean {
  return bools.taken > bools.bits + (cut ? 0 : WINDOW)
}

function isExact(bools: BoolDecoder): boolean {
  const left = bools.bits - bools.taken
  return bools.window === 0 && left >= -WINDOW && (left <= MOST_LEFT || bools.padded())
}

/** Fills a partition that is coded anew from here on. */
function fill(bools: BoolDecoder): void {
  if (bools instanceof BoolCopier) bools.fill()
}
