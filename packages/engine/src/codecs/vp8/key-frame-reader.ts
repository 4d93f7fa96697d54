import { BoolDecoder } from '../bool-decoder.ts'
import { BoolCopier } from './bool-copier.ts'
import { Coefficients } from './coefficients.ts'
import { readSegment } from './frame-fields.ts'
import { type BeginPartition, joinKeyFrame, KEY_HEADER, type KeyFrame, readKeyFrame } from './key-frame.ts'
import { KeyModes } from './key-modes.ts'
import { isBeyond, isExact, WINDOW } from './partition-end.ts'

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
  readonly #keyModes: KeyModes
  readonly #coefficients: Coefficients

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
    this.#keyModes = new KeyModes(this.#wide)
    this.#coefficients = new Coefficients(frame.coefficients, this.#wide)
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
      this.#keyModes.beginRow()
      for (let x = 0; x < wide; x++) {
        if (y * wide + x >= modesFrom) fill(modes)
        const { skip, blocks } = this.#modes(x)
        skips[x] = skip
        luma[x] = blocks
        modesIntact &&= !isBeyond(modes, this.#cut[0])
        if (modesIntact) modesWhole++
      }
      this.#coefficients.beginRow()
      for (let x = 0; x < wide; x++) {
        if (y * wide + x >= tokensFrom) fill(tokens)
        if (intact || tokensFrom !== Infinity)
          this.#coefficients.read(tokens, x, skips[x] === 1, luma[x] === 1)
        intact &&= y * wide + x < modesWhole && !isBeyond(tokens, this.#cut[partition + 1])
        if (intact) whole++
      }
    }
    const exact = whole === wide * high && [modes, ...this.#tokens].every(isExact)
    const modesBytes = Math.ceil((modes.taken - WINDOW) / 8)
    return { width, height, mbWide: wide, mbHigh: high, whole, modesWhole, modesBytes, exact }
  }

  /** Whether a macroblock has no coefficients, and whether its blocks have modes of their own, as numbers. */
  #modes(x: number): { skip: number; blocks: number } {
    const { modes, hasSegmentMap, segmentProbabilities, skipProbability } = this.#frame
    if (hasSegmentMap) readSegment(modes, segmentProbabilities)
    const skip = skipProbability === undefined ? 0 : modes.bool(skipProbability)
    return { skip, blocks: Number(this.#keyModes.read(modes, x)) }
  }
}

/** Fills a partition that is coded anew from here on. */
function fill(bools: BoolDecoder): void {
  if (bools instanceof BoolCopier) bools.fill()
}
