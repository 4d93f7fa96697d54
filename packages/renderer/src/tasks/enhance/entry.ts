import type { Film } from './film.ts'
import { lengthFieldOf } from './inspect.ts'
import { lengthPrefixed } from './nal.ts'

/**
 * Whether a sample that is marked as sync really resets the decoder. An I-picture with a recovery point does not: the
 * pictures after it count on from numbers before it, so nothing else can be put in front of it.
 */
export function startsDecoding(film: Film, sample: number): boolean {
  const { codec } = film.stream
  const width = lengthFieldOf(film.stream)
  if (width === undefined) return codec !== 'h264' && codec !== 'hevc'
  const isReset = codec === 'h264' ? isInstant : isInstantHevc
  return lengthPrefixed(film.read(sample), width).some(isReset)
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
