import type { Film } from './film.ts'
import { lengthFieldOf } from './inspect.ts'
import { lengthPrefixed } from './nal.ts'

/**
 * MPEG-1 and MPEG-2 pictures are read by the sequence header in front, so another one may stand before (ISO/IEC 13818-2
 * §6.2.2.1).
 */
const SEQUENCE_HEADER = Buffer.from([0, 0, 1, 0xb3])
const HEADED: ReadonlySet<string> = new Set(['mpeg1video', 'mpeg2video'])

/**
 * Whether a sample that is marked as sync really resets the decoder, and no picture behind it needs one before it. An I-picture
 * with a recovery point does not: the pictures after it count on from numbers before it, so nothing else can be put in front of
 * it.
 */
export function startsDecoding(film: Film, sample: number): boolean {
  const width = lengthFieldOf(film.stream)
  if (width === undefined)
    return isPlain(film.stream.codec) && film.rank[sample] === sample && isHeaded(film, sample)
  const isReset = film.stream.codec === 'h264' ? isInstant : isInstantHevc
  return lengthPrefixed(film.read(sample), width).some(isReset)
}

/** Whether decoding can start at a sample once those pictures are gone that are shown before it and decoded after it. */
export function canFollow(film: Film, sample: number): boolean {
  const width = lengthFieldOf(film.stream)
  if (width === undefined) return isPlain(film.stream.codec) && isHeaded(film, sample)
  return film.stream.codec === 'hevc' && lengthPrefixed(film.read(sample), width).some(isCleanRandomAccess)
}

function isPlain(codec: string): boolean {
  return codec !== 'h264' && codec !== 'hevc'
}

function isHeaded(film: Film, sample: number): boolean {
  if (!HEADED.has(film.stream.codec)) return true
  return film.read(sample).subarray(0, SEQUENCE_HEADER.length).equals(SEQUENCE_HEADER)
}

/** An IDR slice (ITU-T H.264 table 7-1). */
function isInstant(unit: Buffer): boolean {
  return ((unit[0] ?? 0) & 31) === 5
}

/** nal_unit_type (ITU-T H.265 §7.3.1.2). */
function typeOfHevc(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 63
}

/** IDR_W_RADL or IDR_N_LP (ITU-T H.265 table 7-1). */
function isInstantHevc(unit: Buffer): boolean {
  const type = typeOfHevc(unit)
  return type === 19 || type === 20
}

/** CRA_NUT: behind an end of sequence it is decoded as the first picture of all. */
function isCleanRandomAccess(unit: Buffer): boolean {
  return typeOfHevc(unit) === 21
}

/**
 * Pictures between others that nothing refers to: an H.264 slice of `nal_ref_idc` 0, one of HEVC's even types, B-pictures of
 * MPEG-1, MPEG-2 and MPEG-4.
 */
export function isDisposable(film: Film, sample: number): boolean {
  const bytes = film.read(sample)
  const width = lengthFieldOf(film.stream)
  switch (film.stream.codec) {
    case 'h264': {
      const slices = width === undefined ? [] : lengthPrefixed(bytes, width).filter(isSlice)
      return slices.length > 0 && slices.every((unit) => ((unit[0] ?? 0) & 0x60) === 0)
    }
    case 'hevc': {
      const slices =
        width === undefined ? [] : lengthPrefixed(bytes, width).filter((unit) => typeOfHevc(unit) < 32)
      return slices.length > 0 && slices.every((unit) => typeOfHevc(unit) < 16 && typeOfHevc(unit) % 2 === 0)
    }
    case 'mpeg4':
      return codingTypeOf(bytes, VOP_START, 0, 6) === 2
    case 'mpeg1video':
    case 'mpeg2video':
      // temporal_reference takes ten bits, then picture_coding_type three (ISO/IEC 13818-2 §6.2.3)
      return codingTypeOf(bytes, PICTURE_START, 1, 3) === 3
    default:
      return false
  }
}

const VOP_START = Buffer.from([0, 0, 1, 0xb6])
const PICTURE_START = Buffer.from([0, 0, 1, 0])

/** The bits of a picture's header, at most three, that name its coding type; undefined without a header. */
function codingTypeOf(bytes: Buffer, start: Buffer, offset: number, shift: number): number | undefined {
  const at = bytes.indexOf(start)
  const byte = at < 0 ? undefined : bytes[at + start.length + offset]
  return byte === undefined ? undefined : (byte >> shift) & 7
}

/** Slices of pictures and their partitions (ITU-T H.264 table 7-1). */
function isSlice(unit: Buffer): boolean {
  const type = (unit[0] ?? 0) & 31
  return type >= 1 && type <= 5
}
