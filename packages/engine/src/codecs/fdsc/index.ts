import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

const GP = Uint8Array.of(0x47, 0x50)
/** 'GPRO': the camera's own header at the start of the media data, with its length as a little-endian word behind it. */
const GPRO = 0x4750524f
const MAX_HEADER = 4096
/**
 * A descriptor: mark, kind of the sample it stands before, kind of picture, its bytes, its duration, and zero, or before pictures
 * of some cameras that again.
 */
const DESCRIPTOR = 16
/** Kind of the descriptor that brings the parameter sets: behind it stand two or three of them in fixed fields. */
const WITH_SETS = 3
const MAX_KIND = 15
/** A length, and room for a parameter set. */
const SET_FIELD = 68
const MAX_SET = 64
/** Samples and durations beyond are no camera's: 64 MiB, 16 minutes at 90 kHz. */
const MAX_SAMPLE = 1 << 26
const MAX_DURATION = 90_000_000
/** Mark, two small kinds, two bounded numbers, the last word. */
const EVIDENCE = 60

/**
 * GoPro's frame descriptors, a data track that HERO5 and later interleave with all others: 16 bytes before every sample of
 * every track, telling its size and duration.
 */
export const fdsc: Codec = {
  name: 'fdsc',
  recogniser: () => new FdscRecogniser(),
}

class FdscRecogniser implements Recogniser {
  readonly codec = 'fdsc'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #count = 0

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const length =
      reader.u32(offset) === GPRO ? headerLength(reader, offset) : descriptorLength(reader, offset)
    if (length === 0 || offset + length > end) return false
    unit.length = length
    unit.lengthKnown = true
    unit.evidence = EVIDENCE
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    unit.damaged = false
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    for (let at = searchBytes(reader, from, end, GP); at < end; at = searchBytes(reader, at + 1, end, GP)) {
      if (reader.u32(at) === GPRO || descriptorLength(reader, at) > 0) return at
    }
    return end
  }
}

/** Bytes of the camera's header, 0 when it is none. */
function headerLength(reader: ByteReader, at: number): number {
  const length = reader.u32le(at + 4)
  return length >= DESCRIPTOR && length <= MAX_HEADER && isPrintable(reader.u8(at + 8)) ? length : 0
}

function descriptorLength(reader: ByteReader, at: number): number {
  const kind = reader.u8(at + 2)
  if (reader.u16(at) !== 0x4750 || kind > MAX_KIND || reader.u8(at + 3) > MAX_KIND) return 0
  const size = reader.u32(at + 4)
  const duration = reader.u32(at + 8)
  const last = reader.u32(at + 12)
  if (size === 0 || size > MAX_SAMPLE || duration > MAX_DURATION) return 0
  if (last !== 0 && last !== duration) return 0
  if (kind !== WITH_SETS) return DESCRIPTOR
  let end = at + DESCRIPTOR
  for (let sets = 0; sets < 3 && isSetField(reader, end); sets++) end += SET_FIELD
  return end - at
}

/** A parameter set in its field: a length, the set, and zeros at the end of the field. */
function isSetField(reader: ByteReader, at: number): boolean {
  const length = reader.u32(at)
  return length >= 4 && length <= MAX_SET && (reader.u8(at + 4) & 0x80) === 0 && reader.u8(at + 4) !== 0
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f
}
