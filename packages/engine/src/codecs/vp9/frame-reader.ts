import type { Allowance } from '../../model/allowance.ts'
import { BoolDecoder } from '../bool-decoder.ts'
import { adapt } from './adaptation.ts'
import { Blocks } from './blocks.ts'
import { readCompressedHeader, TX_MODE_SELECT } from './compressed-header.ts'
import { Counts } from './counts.ts'
import { type Frame, frameOf, placesOf } from './frame.ts'
import { Probabilities } from './probabilities.ts'
import { NO_FEATURES, type SegmentFeatures } from './segments.ts'
import { TileReader } from './tile.ts'
import {
  type Colours,
  parseUncompressedHeader,
  SLOTS,
  type UncompressedHeader,
  USUAL_COLOURS,
} from './uncompressed-header.ts'

/** Frame contexts that are kept, VP9 specification v0.6 §3. */
const FRAME_CONTEXTS = 4
const RESET_ONE = 2
const RESET_ALL = 3
/** Longest uncompressed header. */
const HEADER_BYTES = 128
/** Larger frames than of 4096 by 4096 samples are not read: what is known of their blocks takes 60 bytes a place. */
const MOST_PLACES = 1 << 18
const SIZE_BYTES = 4
const SUPERBLOCK = 8
/** Even bits that are 0 which an encoder writes behind the last symbol, and those of them that its bytes do not hold. */
const FLUSHED_BITS = 32
const HELD_BACK_BITS = 16
const WHOLE_RANGE = 255
/** A last byte with these bits could be a superframe's marker: a zero is put behind it, Annex B.2. */
const MARKER_MASK = 0xe0
const MARKER = 0xc0

/** Zero bytes that a tile ends with, at most: one read on in zeros that took its bytes' place ends there, too. */
const MOST_ZEROS = 6

/** A frame that was read to its end. */
export interface ReadFrame {
  readonly header: UncompressedHeader
  /** Where it ends at the earliest: behind the last byte that its symbols depend on. */
  readonly least: number
  /** Where it ends when its encoder flushes as libvpx does. */
  readonly end: number
  /** Bits behind the last symbol, up to `end`, that are as such a flush leaves them: the evidence that it is whole. */
  readonly evidence: number
}

/** Reads frames one after another, all symbols of them, as a decoder would: what a frame means depends on those before. */
export class FrameReader {
  // what frames leave to those behind them
  readonly #contexts = Array.from({ length: FRAME_CONTEXTS }, () => new Probabilities())
  readonly #sizes = new Int32Array(2 * SLOTS)
  readonly #previous = new Blocks()
  #colours: Colours = USUAL_COLOURS
  #features: SegmentFeatures = NO_FEATURES
  #lastWidth = 0
  #lastHeight = 0
  #lastShown = false
  #lastKey = false
  // of the frame being read
  readonly #bools = new BoolDecoder(new Uint8Array(0))
  readonly #probabilities = new Probabilities()
  readonly #loaded = new Probabilities()
  readonly #counts = new Counts()
  readonly #blocks = new Blocks()
  readonly #tiles = new TileReader(this.#bools, this.#blocks, this.#probabilities, this.#counts)
  #read: { header: UncompressedHeader; frame: Frame | undefined } | undefined
  /** The frame whose header was read last. */
  #begun: Frame | undefined
  #short = false
  readonly #allowance: Allowance

  /** Each byte and block read and each superblock of a frame is a step. */
  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** The frame read last without success goes on behind the end of the bytes, as it seems. */
  get isShort(): boolean {
    return this.#short
  }

  /** As the other one is between frames. */
  copy(other: FrameReader): void {
    for (const [i, context] of this.#contexts.entries()) context.copy(other.#contexts[i])
    this.#sizes.set(other.#sizes)
    this.#previous.copy(other.#previous)
    this.#tiles.modes.segments.copy(other.#tiles.modes.segments)
    this.#colours = other.#colours
    this.#features = other.#features
    this.#lastWidth = other.#lastWidth
    this.#lastHeight = other.#lastHeight
    this.#lastShown = other.#lastShown
    this.#lastKey = other.#lastKey
    this.#read = undefined
    this.#begun = undefined
  }

  /**
   * Reads the frame that begins at `from`, which may end before `end`, where the bytes do. Undefined when it breaks the syntax.
   * Nothing of it counts for frames to come until it is accepted. `width` and `height` are the track's.
   */
  read(bytes: Uint8Array, from: number, end: number, width: number, height: number): ReadFrame | undefined {
    this.#read = undefined
    this.#begun = undefined
    this.#short = false
    const start = bytes.subarray(from, Math.min(end, from + HEADER_BYTES))
    const header = parseUncompressedHeader(start, width, height, this.#sizes)
    if (!header) return undefined
    if (header.existing) {
      this.#read = { header, frame: undefined }
      return { header, least: from + 1, end: from + 1, evidence: 0 }
    }
    const tilesFrom = from + header.bytes + header.compressedBytes
    const places = placesOf(header.width) * placesOf(header.height)
    this.#short = tilesFrom >= end
    if (this.#short || places > MOST_PLACES) return undefined
    if (!this.#allowance.take(header.compressedBytes + places / (SUPERBLOCK * SUPERBLOCK))) return undefined
    const frame = this.#readHeader(header, bytes, from + header.bytes, tilesFrom)
    if (!frame) return undefined
    this.#begun = frame
    if (!header.parallel) this.#counts.clear()
    const lastFrom = this.#readTiles(frame, bytes, tilesFrom, end)
    if (!this.#allowance.take(this.#blocks.length) || lastFrom < 0) return undefined
    this.#read = { header, frame }
    return { header, ...this.#ending(bytes, lastFrom, end) }
  }

  /** The frame's probabilities and all that its tiles depend on. */
  #readHeader(header: UncompressedHeader, bytes: Uint8Array, from: number, to: number): Frame | undefined {
    const alone = header.intra || header.resilient
    const isReset = alone && (resetsAll(header) || (header.resets === RESET_ONE && header.context === 0))
    if (isReset) this.#loaded.reset()
    else this.#loaded.copy(this.#contexts[alone ? 0 : header.context])
    this.#probabilities.copy(this.#loaded)
    this.#bools.begin(bytes, from, to)
    const compressed = readCompressedHeader(this.#bools, header, this.#probabilities)
    if (!compressed) return undefined
    const features = header.segments.features ?? (alone ? NO_FEATURES : this.#features)
    const frame = frameOf(header, compressed, header.colours ?? this.#colours, features)
    const sameSize = header.width === this.#lastWidth && header.height === this.#lastHeight
    this.#tiles.modes.segments.beginFrame(frame.columns * frame.rows, alone || !sameSize)
    const usesPrevious = !header.resilient && sameSize && this.#lastShown
    this.#tiles.beginFrame(frame, usesPrevious ? this.#previous : undefined)
    return frame
  }

  /** decode_tiles, §6.4. @returns where the last one begins; -1 when one of them is not whole */
  #readTiles({ header, columns, rows }: Frame, bytes: Uint8Array, from: number, end: number): number {
    const across = 1 << header.tileColumns
    const down = 1 << header.tileRows
    let at = from
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++) {
        const isLast = row === down - 1 && column === across - 1
        let to = end
        if (!isLast) {
          to = at + SIZE_BYTES + (at + SIZE_BYTES > end ? 0 : sizeAt(bytes, at))
          at += SIZE_BYTES
          this.#short = to > end
          if (this.#short) return -1
        }
        this.#bools.begin(bytes, at, to)
        const whole = this.#tiles.read({
          fromRow: tileStart(row, rows, header.tileRows),
          toRow: tileStart(row + 1, rows, header.tileRows),
          fromColumn: tileStart(column, columns, header.tileColumns),
          toColumn: tileStart(column + 1, columns, header.tileColumns),
        })
        if (isLast) this.#short = this.#bools.overrun
        if (!this.#allowance.take(this.#bools.taken >> 3)) return -1
        if (!whole || (!isLast && !this.#isPadded(bytes, at, to))) return -1
        if (isLast) return at
        at = to
      }
    return -1
  }

  /**
   * Whether nothing is left of a tile but an encoder's flush. Symbols can end in many zeros: the tile is then as long as they
   * are.
   */
  #isPadded(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#bools.padded() && (!endsInZeros(bytes, from, to) || this.#flushed(bytes, from, to) === to)
  }

  /** Where the tile read last, which begins at `from`, ends when its encoder flushes as libvpx does. */
  #flushed(bytes: Uint8Array, from: number, end: number): number {
    const { taken, range } = this.#bools
    // the first of the even bits takes none where the range is whole
    const flushed = taken - 8 + FLUSHED_BITS - HELD_BACK_BITS - (range === WHOLE_RANGE ? 1 : 0)
    const to = Math.max(from + Math.ceil(taken / 8), from + (flushed >> 3))
    return to <= end && (bytes[to - 1] & MARKER_MASK) === MARKER ? to + 1 : to
  }

  /** Where the last tile ends, which begins at `from`. */
  #ending(bytes: Uint8Array, from: number, end: number): { least: number; end: number; evidence: number } {
    const bools = this.#bools
    const { taken } = bools
    const least = from + Math.ceil(taken / 8)
    const to = this.#flushed(bytes, from, end)
    let evidence = 0
    if (to <= end && bools.window === 0 && (to === end || !endsInZeros(bytes, from, to))) {
      evidence = 8
      const within = taken & 7
      let isZero = within === 0 || (bytes[least - 1] & (0xff >> within)) === 0
      for (let at = least; at < to; at++) if (bytes[at] !== 0) isZero = false
      evidence = isZero ? 8 * (to - from) - taken + 8 : 0
    }
    return { least, end: to, evidence }
  }

  /** The frame read last is one: it counts for those behind it. */
  accept(): void {
    const read = this.#read
    this.#read = undefined
    if (!read?.frame) return
    const { header, frame } = read
    if (!header.resilient && !header.parallel)
      adapt(this.#probabilities, this.#loaded, this.#counts, {
        intra: header.intra,
        afterKey: this.#lastKey,
        selectedTransforms: frame.compressed.txMode === TX_MODE_SELECT,
        switchableFilter: header.switchableFilter,
        highPrecision: header.highPrecision,
      })
    this.#keep(frame)
  }

  /**
   * The frame read last without success is one that was hit: what its header says counts for those behind it, and its blocks as
   * far as they were read. False where those cannot be read any more, because their probabilities adapt to what was in it.
   */
  pass(): boolean {
    const frame = this.#begun
    if (!frame?.header.parallel) return false
    this.#keep(frame)
    return true
  }

  /** What a frame leaves to those behind it. */
  #keep(frame: Frame): void {
    this.#read = undefined
    this.#begun = undefined
    const { header } = frame
    const alone = header.intra || header.resilient
    if (alone && resetsAll(header)) for (const context of this.#contexts) context.reset()
    else if (alone && header.resets === RESET_ONE) this.#contexts[header.context].reset()
    if (header.keepsContext) this.#contexts[alone ? 0 : header.context].copy(this.#probabilities)
    for (let slot = 0; slot < SLOTS; slot++)
      if (((header.refreshed >> slot) & 1) === 1) {
        this.#sizes[2 * slot] = header.width
        this.#sizes[2 * slot + 1] = header.height
      }
    this.#previous.exchange(this.#blocks)
    this.#tiles.modes.segments.accept(header.segments.enabled)
    this.#colours = frame.colours
    this.#features = frame.features
    this.#lastWidth = header.width
    this.#lastHeight = header.height
    this.#lastShown = header.shown
    this.#lastKey = header.key
  }
}

/** setup_past_independence resets all contexts, §7.2. */
function resetsAll({ key, resilient, resets }: UncompressedHeader): boolean {
  return key || resilient || resets === RESET_ALL
}

function sizeAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}

function endsInZeros(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = end - 1; at >= from; at--) if (bytes[at] !== 0) return end - 1 - at > MOST_ZEROS
  return true
}

/** get_tile_offset, §6.4.1. */
function tileStart(tile: number, places: number, log2: number): number {
  const superblocks = Math.ceil(places / SUPERBLOCK)
  return Math.min(places, ((tile * superblocks) >> log2) * SUPERBLOCK)
}
