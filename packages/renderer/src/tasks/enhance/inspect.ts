import type { InputStream } from '../../media/input.ts'
import { joinPrefixed } from './nal.ts'

/** What the syntax of a sample tells before it is decoded. */
export interface Inspection {
  /** The sample without what cannot belong to it, for the decoder. */
  readonly bytes: Buffer
  readonly damaged: boolean
  /** Zeros follow at the end of a unit: the habit of some cameras, or a hole. */
  readonly filled: boolean
}

/** Bytes of a length field of H.264 and HEVC samples; undefined for other codecs. */
export function lengthFieldOf(input: InputStream): number | undefined {
  const { extradata } = input.stream.codecpar
  if (input.codec === 'h264' && extradata?.[0] === 1) return ((extradata[4] ?? 3) & 3) + 1
  if (input.codec === 'hevc' && extradata?.[0] === 1) return ((extradata[21] ?? 3) & 3) + 1
  return undefined
}

/**
 * Finds damage that decoders take for pictures: three bytes that read as a start code cannot stand within a NAL unit (ITU-T
 * H.264 §7.4.1). The unit is cut there, so that the decoder conceals what follows instead of drawing noise.
 */
export function inspect(bytes: Buffer, width: number | undefined): Inspection {
  if (width === undefined) return { bytes, damaged: false, filled: false }
  const units: Buffer[] = []
  let at = 0
  let damaged = false
  let filled = false
  while (at + width <= bytes.length) {
    const length = bytes.readUIntBE(at, width)
    if (length === 0 || at + width + length > bytes.length) break
    const unit = bytes.subarray(at + width, at + width + length)
    const end = soundLength(unit)
    if (end < unit.length) {
      if (unit.subarray(end).some((byte) => byte !== 0)) damaged = true
      filled = true
      if (end > 2) units.push(unit.subarray(0, end))
    } else units.push(unit)
    at += width + length
  }
  if (bytes.subarray(at).some((byte) => byte !== 0) || units.length === 0) damaged = true
  const cut = units.reduce((sum, unit) => sum + width + unit.length, 0) !== bytes.length
  return { bytes: cut ? joinPrefixed(units, width) : bytes, damaged, filled: filled || at < bytes.length }
}

/** Bytes in front of the first start code within a unit. */
function soundLength(unit: Buffer): number {
  for (let at = unit.indexOf(ZEROS); at >= 0; at = unit.indexOf(ZEROS, at + 1)) {
    const next = unit[at + 2]
    if (next === undefined || next < 3) return at
  }
  return unit.length
}

const ZEROS = Buffer.from([0, 0])
