import { splitStartCodes } from '../nal/start-code.ts'
import { type Pps, parsePps } from './pps.ts'
import { parseSps, type Sps } from './sps.ts'

/** AVCDecoderConfigurationRecord, ISO/IEC 14496-15:2022 §5.3.3.1. */
export interface AvcConfig {
  /** Bytes of the length in front of each NAL unit: 1, 2 or 4 (3 occurs against the standard). */
  readonly lengthSize: number
  readonly sps: readonly Sps[]
  readonly pps: readonly Pps[]
}

/** Parses an `avcC` payload; undefined when it is none. Sets that do not parse are left out. */
export function parseAvcC(config: Uint8Array): AvcConfig | undefined {
  if (config.length < 7 || config[0] !== 1) return undefined
  const sps: Sps[] = []
  const pps: Pps[] = []
  let at = 6
  for (const [kind, count] of [
    ['sps', config[5] & 31],
    ['pps', -1],
  ] as const) {
    const sets = count < 0 ? config[at++] : count
    for (let i = 0; i < sets && at + 2 <= config.length; i++) {
      const length = (config[at] << 8) | config[at + 1]
      const nal = config.subarray(at + 2, at + 2 + length)
      at += 2 + length
      if (kind === 'sps') {
        const set = parseSps(nal)
        if (set) sps.push(set)
      } else {
        const set = parsePps(nal)
        if (set) pps.push(set)
      }
    }
  }
  return { lengthSize: (config[4] & 3) + 1, sps, pps }
}

/** Whether a record's parameter sets lie within it and can be read: players refuse others, whatever the pictures bring themselves. */
export function isWholeAvcC(config: Uint8Array): boolean {
  let at = 5
  for (const parse of [parseSps, parsePps]) {
    const sets = parse === parseSps ? config[at] & 31 : config[at]
    at++
    for (let i = 0; i < sets; i++) {
      const length = (config[at] << 8) | config[at + 1]
      const nal = config.subarray(at + 2, at + 2 + length)
      at += 2 + length
      if (!(at <= config.length) || !parse(nal)) return false
    }
  }
  return at <= config.length
}

/** Collects the parameter sets of an Annex B stretch (AVI and transport streams carry them as configuration). */
export function parameterSetsOf(stream: Uint8Array): {
  readonly sps: readonly Sps[]
  readonly pps: readonly Pps[]
} {
  const sps: Sps[] = []
  const pps: Pps[] = []
  for (const nal of splitStartCodes(stream)) {
    const sequence = parseSps(nal)
    if (sequence) sps.push(sequence)
    const picture = parsePps(nal)
    if (picture) pps.push(picture)
  }
  return { sps, pps }
}

/** Builds an `avcC` payload from parameter sets found in a stream. @throws RangeError without a sequence parameter set. */
export function buildAvcC(sps: readonly Sps[], pps: readonly Pps[], lengthSize = 4): Uint8Array {
  const first = sps[0]
  if (!first) throw new RangeError('an avcC needs a sequence parameter set')
  const sets = sps.slice(0, 31)
  const pictures = pps.slice(0, 255)
  const bytes: number[] = [
    1,
    first.profile,
    first.constraints,
    first.level,
    0xfc | (lengthSize - 1),
    0xe0 | sets.length,
  ]
  const put = (nal: Uint8Array): void => {
    bytes.push(nal.length >> 8, nal.length & 255, ...nal)
  }
  for (const set of sets) put(set.bytes)
  bytes.push(pictures.length)
  for (const set of pictures) put(set.bytes)
  if (first.profile !== 66 && first.profile !== 77 && first.profile !== 88) {
    bytes.push(
      0xfc | first.chromaFormat,
      0xf8 | (first.bitDepthLuma - 8),
      0xf8 | (first.bitDepthChroma - 8),
      0,
    )
  }
  return Uint8Array.from(bytes)
}
