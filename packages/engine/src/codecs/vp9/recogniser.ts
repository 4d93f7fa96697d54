import type { ByteReader } from '../../bytes/reader.ts'
import type { Allowance } from '../../model/allowance.ts'
import { BoolDecoder } from '../bool-decoder.ts'
import { CountedPictures } from '../counted-pictures.ts'
import type { Recogniser, Unit, UnitReader } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'
import { readCompressedHeader } from './compressed-header.ts'
import { Probabilities } from './probabilities.ts'
import { parseUncompressedHeader, type UncompressedHeader } from './uncompressed-header.ts'
import { Vp9UnitReader } from './unit-reader.ts'

const SYNC_CODE = 0x498342
const SYNC_BYTES = Uint8Array.of(0x49, 0x83, 0x42)
/** Longest uncompressed header. */
const HEADER_BYTES = 128
/** A compressed header that ends where its 16-bit length says. */
const FILLED_EVIDENCE = 14
/** A size in the header that is the track's. */
const SIZE_EVIDENCE = 24
const LONGEST_INDEX = 34
/** What shows a frame decoded before is a byte, and an index at most: among unframed bytes nothing tells it from others. */
const LONGEST_EXISTING = 1 + LONGEST_INDEX
/** frame_marker, VP9 specification v0.6 §7.2. */
const FRAME_MARKER = 2
/** Headers remembered. */
const REMEMBERED = 1 << 12
/** A tile whose size fits, and whose first bit is 0 as it must be. */
const TILE_EVIDENCE = 8

/**
 * VP9 frames. They carry no length: a unit reaches to `end`, and evidence is for its start, where the compressed header must
 * fill its bytes exactly. Frames that are not shown lie in one unit with the next that is (superframe, Annex B).
 */
export class Vp9Recogniser implements Recogniser {
  readonly codec = 'vp9'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #width: number
  readonly #height: number
  readonly #pictures = new CountedPictures()
  readonly #bools = new BoolDecoder(new Uint8Array(0))
  /** What compressed headers change, which here is of no interest. */
  readonly #probabilities = new Probabilities()
  /** Headers read before, and where: who looks for units asks for the same ones again and again. */
  #headers: (UncompressedHeader | undefined)[] = []
  #offsets = new Float64Array(0)
  #reader: ByteReader | undefined

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset >= end || !mayBegin(reader, offset, end)) return false
    const header = this.#headerAt(reader, offset, end)
    if (!header) return false
    unit.evidence = header.prescribed
    unit.leastLength = 1
    if (header.existing && end - offset > LONGEST_EXISTING) return false
    if (!header.existing) {
      const last = lastTile(reader, offset + header.bytes + header.compressedBytes, end, header.tiles)
      if (last < 0) return false
      unit.leastLength = last + 1 - offset
      unit.evidence += FILLED_EVIDENCE + (header.tiles - 1) * TILE_EVIDENCE
      if (header.key && header.width === this.#width && header.height === this.#height)
        unit.evidence += SIZE_EVIDENCE
    }
    unit.length = end - offset
    unit.lengthKnown = false
    unit.key = header.key
    unit.continues = !header.shown
    unit.recovery = false
    unit.damaged = false
    unit.duration = 0
    return true
  }

  /** The headers at `offset`, whole before `end` with the beginnings of all tiles; undefined when there are none. */
  #headerAt(reader: ByteReader, offset: number, end: number): UncompressedHeader | undefined {
    const place = offset % REMEMBERED
    const known =
      this.#reader === reader && this.#offsets[place] === offset ? this.#headers[place] : undefined
    if (known) return known
    const first = reader.bytes(offset, Math.min(end - offset, HEADER_BYTES))
    const header = parseUncompressedHeader(first, this.#width, this.#height)
    if (!header || header.existing) return header
    const { bytes, compressedBytes } = header
    // the first bit of either part is 0: the quicker look is the first
    if (reader.u8(offset + bytes) >= 128) return undefined
    if (lastTile(reader, offset + bytes + compressedBytes, end, header.tiles) < 0) return undefined
    this.#bools.begin(reader.bytes(offset + bytes, compressedBytes), 0, compressedBytes)
    if (!readCompressedHeader(this.#bools, header, this.#probabilities)) return undefined
    if (this.#reader !== reader) {
      this.#reader = reader
      this.#headers = new Array(REMEMBERED).fill(undefined)
      this.#offsets = new Float64Array(REMEMBERED)
    }
    this.#offsets[place] = offset
    this.#headers[place] = header
    return header
  }

  unitReader(allowance: Allowance): UnitReader {
    return new Vp9UnitReader(this.#width, this.#height, allowance)
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    this.#pictures.accept(unit)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return Math.min(end, searchBytes(reader, from + 1, end + 1, SYNC_BYTES) - 1)
  }

  /** The index that closes a superframe has its marker at both ends, and the sizes of all frames but for itself. */
  closing(reader: ByteReader, offset: number, end: number): number {
    const marker = reader.u8(end - 1)
    if (marker >> 5 !== 6) return 0
    const frames = (marker & 7) + 1
    const width = ((marker >> 3) & 3) + 1
    const bytes = 2 + frames * width
    if (bytes > LONGEST_INDEX || end - bytes < offset) return 0
    const index = reader.bytes(end - bytes, bytes)
    if (index[0] !== marker) return 0
    let sum = 0
    for (let i = 0; i < frames; i++)
      for (let k = 0; k < width; k++) sum += index[1 + i * width + k] * 2 ** (8 * k)
    return sum === end - bytes - offset ? 8 + 8 * width : 0
  }
}

/** What the first byte, and the sync code behind it, leave possible: noise is refused before its header is read. §6.2. */
function mayBegin(reader: ByteReader, offset: number, end: number): boolean {
  const first = reader.u8(offset)
  if (first >> 6 !== FRAME_MARKER) return false
  // profile 3 has a bit more
  if ((first & 0x30) === 0x30) return true
  const isExisting = (first & 0x08) !== 0
  if (isExisting) return end - offset <= LONGEST_EXISTING
  const isKey = (first & 0x04) === 0
  return !isKey || reader.u24(offset + 1) === SYNC_CODE
}

/** Where the last of a frame's tiles begins, §6.4: sizes stand before all others. -1 when they do not fit. */
function lastTile(reader: ByteReader, from: number, end: number, tiles: number): number {
  let at = from
  for (let tile = 1; tile < tiles; tile++) {
    if (at + 5 > end || reader.u8(at + 4) >= 128) return -1
    at += 4 + reader.u32(at)
  }
  return at < end && reader.u8(at) < 128 ? at : -1
}
