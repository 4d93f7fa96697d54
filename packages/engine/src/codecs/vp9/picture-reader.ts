import type { Allowance } from '../../model/allowance.ts'
import { FrameReader, type ReadFrame } from './frame-reader.ts'

/** Frames of a superframe at most, and the marker that begins and closes its index: VP9 specification v0.6 Annex B. */
const MOST_FRAMES = 8
const MARKER = 6
const MARKER_SHIFT = 5

/** A picture that was read to its end. */
export interface ReadPicture {
  readonly end: number
  /** Bits that show that it is whole and ends there. */
  readonly evidence: number
  /** Bytes behind it of an index that names more frames before it: they belong to the same picture, and were hit. 0 for none. */
  readonly closing: number
}

/** Reads pictures as containers hold them: the frames that are not shown with the one behind them that is, and their index. */
export class PictureReader {
  readonly #frames: FrameReader
  /** As the frames were before the picture read last, where that has more than one. */
  readonly #before: FrameReader
  #isRead = false
  #several = false
  #short = false
  readonly #width: number
  readonly #height: number

  /** `width` and `height` are the track's; see `FrameReader` for `allowance`. */
  constructor(width: number, height: number, allowance: Allowance) {
    this.#frames = new FrameReader(allowance)
    this.#before = new FrameReader(allowance)
    this.#width = width
    this.#height = height
  }

  /** As the other one is between pictures; one that it read and that is not accepted counts for neither. */
  copy(other: PictureReader): void {
    other.#undo()
    this.#frames.copy(other.#frames)
    this.#isRead = false
    this.#several = false
  }

  /** What was read last without success goes on behind the end of the bytes, as it seems. */
  get isShort(): boolean {
    return this.#short
  }

  #undo(): void {
    if (this.#several) this.#frames.copy(this.#before)
    this.#isRead = false
    this.#several = false
  }

  /**
   * Reads the picture that begins at `from`, which may end before `end`, where the bytes do. Undefined when it is none, or not
   * whole. It counts for those behind it once it is accepted.
   */
  read(bytes: Uint8Array, from: number, end: number): ReadPicture | undefined {
    this.#undo()
    const sizes: number[] = []
    let evidence = Number.POSITIVE_INFINITY
    const stated = statedEnds(bytes, from, end)
    for (let at = from; sizes.length < MOST_FRAMES; ) {
      const limit = stated[sizes.length] ?? end
      const frame = this.#frames.read(bytes, at, limit, this.#width, this.#height)
      this.#short = limit === end && (frame ? frame.end > end : this.#frames.isShort)
      if (!frame || !isWhole(frame, limit)) break
      sizes.push(frame.end - at)
      if (!frame.header.existing) evidence = Math.min(evidence, frame.evidence)
      at = frame.end
      if (frame.header.shown && sizes.length >= stated.length) {
        this.#isRead = true
        if (!Number.isFinite(evidence)) return { end: at, evidence: 0, closing: 0 }
        const index = indexBytes(bytes, at, end, sizes)
        const isAll = index === 0 || (bytes[at] & 7) + 1 === sizes.length
        return { end: isAll ? at + index : at, evidence: evidence + 8 * index, closing: isAll ? 0 : index }
      }
      if (!this.#several) this.#before.copy(this.#frames)
      this.#several = true
      this.#frames.accept()
    }
    this.#undo()
    return undefined
  }

  /** What was read last without success is a picture that was hit. False where its header alone does not help. */
  pass(): boolean {
    return this.#frames.pass()
  }

  /** The picture read last is one: it counts for those behind it. */
  accept(): void {
    if (this.#isRead) this.#frames.accept()
    this.#isRead = false
    this.#several = false
  }
}

/** Whether nothing but an encoder's flush lies behind a frame's last symbol. */
function isWhole({ header, end, evidence }: ReadFrame, limit: number): boolean {
  return header.existing || (end <= limit && evidence > 0)
}

/** Where the frames end that an index behind them names, Annex B.2; none where the bytes do not close with one that they fit. */
function statedEnds(bytes: Uint8Array, from: number, end: number): number[] {
  const marker = bytes[end - 1]
  if (end <= from || marker >> MARKER_SHIFT !== MARKER) return []
  const frames = (marker & 7) + 1
  const width = ((marker >> 3) & 3) + 1
  const index = end - 2 - frames * width
  if (index < from || bytes[index] !== marker) return []
  const ends: number[] = []
  for (let frame = 0, at = from; frame < frames; frame++) {
    for (let i = 0; i < width; i++) at += bytes[index + 1 + frame * width + i] * 2 ** (8 * i)
    ends.push(at)
  }
  return ends[frames - 1] === index ? ends : []
}

/** Bytes of the index at `at` of frames the last of which have these sizes; 0 when there is none. */
function indexBytes(bytes: Uint8Array, at: number, end: number, sizes: readonly number[]): number {
  const marker = bytes[at]
  const frames = (marker & 7) + 1
  if (at >= end || marker >> MARKER_SHIFT !== MARKER || frames < sizes.length) return 0
  const width = ((marker >> 3) & 3) + 1
  const length = 2 + frames * width
  if (at + length > end || bytes[at + length - 1] !== marker) return 0
  let place = at + 1 + (frames - sizes.length) * width
  for (const size of sizes)
    for (let i = 0; i < width; i++) if (bytes[place++] !== Math.floor(size / 2 ** (8 * i)) % 256) return 0
  return length
}
