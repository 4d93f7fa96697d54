import type { Film } from './film.ts'
import { lengthFieldOf } from './inspect.ts'
import { lengthPrefixed } from './nal.ts'

/** MPEG-1 and MPEG-2 pictures are read by the sequence header in front, so another one may stand before (ISO/IEC 13818-2 §6.2.2.1). */
const SEQUENCE_HEADER = Buffer.from([0, 0, 1, 0xb3])
const HEADED: ReadonlySet<string> = new Set(['mpeg1video', 'mpeg2video'])

/**
 * Whether a sample that is marked as sync really resets the decoder, and no picture behind it needs one before it. An I-picture with a recovery
 * point does not: the pictures after it count on from numbers before it, so nothing else can be put in front of it.
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

/** IDR_W_RADL or IDR_N_LP (ITU-T H.265 table 7-1). */
function isInstantHevc(unit: Buffer): boolean {
  const type = ((unit[0] ?? 0) >> 1) & 63
  return type === 19 || type === 20
}

/** CRA_NUT: behind an end of sequence it is decoded as the first picture of all. */
function isCleanRandomAccess(unit: Buffer): boolean {
  return (((unit[0] ?? 0) >> 1) & 63) === 21
}
