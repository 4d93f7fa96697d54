import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { crc16 } from '../crc16.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import { searchSync } from '../search-sync.ts'
import { type FlacFrameHeader, LONGEST_HEADER, parseFrameHeader } from './frame-header.ts'
import { SUBFRAME_SLACK, skipSubframes } from './subframes.ts'

/** Sync code, values ruled out and the CRC-8 of a header. */
const HEADER_EVIDENCE = 25
/** The frame's CRC-16 holds. */
const FOOTER_EVIDENCE = 16
/** The header fits the stream information or the frames before. */
const KNOWN_EVIDENCE = 4
/** Bytes of a frame beyond its samples: header, footer, a subframe header and a few bits each. */
const OVERHEAD_BYTES = 64
const MAX_FRAME_BYTES = 1 << 20
const FOOTER_BYTES = 2
const SYNC_BYTE = 0xff
/** Bytes of STREAMINFO, which follows a metadata block header of four bytes when it has one. */
const STREAM_INFO_BYTES = 34
const LAST_BLOCK = 0x80

/**
 * FLAC. A frame's length stands nowhere: its Rice codes are read to their end, where its CRC-16 must hold.
 * `TrackDescription.config` is STREAMINFO, with or without a metadata block header or `fLaC` before it.
 */
export const flac: Codec = {
  name: 'flac',
  recogniser: (track: TrackDescription) => new FlacRecogniser(track),
}

class FlacRecogniser implements Recogniser {
  readonly codec = 'flac'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #channels: number
  readonly #bits: number
  #order = 0

  constructor(track: TrackDescription) {
    const info = streamInfo(track.config)
    const word = info ? (info[10] << 24) | (info[11] << 16) | (info[12] << 8) | info[13] : 0
    this.timescale = info ? word >>> 12 : (track.sampleRate ?? track.timescale)
    this.#channels = info ? ((word >>> 9) & 7) + 1 : (track.channels ?? 0)
    this.#bits = info ? ((word >>> 4) & 31) + 1 : 0
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const start = reader.bytes(offset, LONGEST_HEADER)
    const header = parseFrameHeader(start, 0)
    if (header === undefined || !this.#fits(header)) return false
    const bits = header.bits || this.#bits
    const bytes = reader.bytes(offset, this.#longest(header, bits) + SUBFRAME_SLACK)
    const limit = Math.min(end - offset, bytes.length)
    const footer = skipSubframes(bytes, header.length * 8, limit * 8, header, bits) / 8
    if (footer < 0 || footer + FOOTER_BYTES > limit) return false
    unit.length = footer + FOOTER_BYTES
    // Over frame and footer the remainder is zero.
    unit.damaged = crc16(bytes, 0, unit.length, 0) !== 0
    unit.evidence =
      HEADER_EVIDENCE + (unit.damaged ? 0 : FOOTER_EVIDENCE) + (this.#channels > 0 ? KNOWN_EVIDENCE : 0)
    unit.key = true
    unit.duration = header.samples
    unit.gap = 0
    unit.lengthKnown = true
    return true
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    const unit = new Unit()
    return this.recognise(reader, offset, offset + length, unit) && !unit.damaged
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const span = { sync: SYNC_BYTE, ahead: LONGEST_HEADER }
    return searchSync(reader, from, end, span, (bytes, at) => {
      const header = parseFrameHeader(bytes, at)
      return header !== undefined && this.#fits(header)
    })
  }

  #fits(header: FlacFrameHeader): boolean {
    if (this.#channels > 0 && header.channels !== this.#channels) return false
    if (this.#bits > 0 && header.bits > 0 && header.bits !== this.#bits) return false
    if (this.#bits === 0 && header.bits === 0) return false
    return header.sampleRate === 0 || this.timescale === 0 || header.sampleRate === this.timescale
  }

  /** A frame that stores its samples as they are is the longest. */
  #longest(header: FlacFrameHeader, bits: number): number {
    const raw = Math.ceil((header.samples * header.channels * (bits + 1)) / 8)
    return Math.min(MAX_FRAME_BYTES, raw + OVERHEAD_BYTES)
  }
}

/** STREAMINFO without what containers put before it, undefined when there is none. */
function streamInfo(config: Uint8Array): Uint8Array | undefined {
  let at = 0
  if (String.fromCharCode(...config.subarray(0, 4)) === 'fLaC') at = 4
  const length = config.length - at
  if (length > STREAM_INFO_BYTES && (config[at] & ~LAST_BLOCK) === 0 && config[at + 3] === STREAM_INFO_BYTES)
    at += 4
  return config.length - at >= STREAM_INFO_BYTES ? config.subarray(at, at + STREAM_INFO_BYTES) : undefined
}
