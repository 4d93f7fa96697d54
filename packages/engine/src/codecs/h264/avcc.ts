import { splitStartCodes } from '../nal/start-code.ts'
import { PPS, SPS } from './nal-types.ts'
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

/**
 * Whether a record's parameter sets lie within it and can be read: players refuse others, whatever the pictures bring themselves.
 */
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

/**
 * The record with as many parameter sets as stand in it, told by their types: the same one where it says so itself, or where what
 * stands behind its header is no sequence sets with picture sets behind them.
 */
export function withOwnCounts(config: Uint8Array): Uint8Array {
  const sequence = setsAt(config, 6, SPS)
  const picture = setsAt(config, sequence.end + 1, PPS)
  if (sequence.count === 0 || picture.count === 0) return config
  const sequences = (config[5] & 0xe0) | sequence.count
  if (config[5] === sequences && config[sequence.end] === picture.count) return config
  return config.with(5, sequences).with(sequence.end, picture.count)
}

/** How many sets of a type stand one behind another, and where they end. */
function setsAt(config: Uint8Array, start: number, type: number): { count: number; end: number } {
  let end = start
  let count = 0
  for (; end + 3 <= config.length && (config[end + 2] & 31) === type; count++) {
    const length = (config[end] << 8) | config[end + 1]
    if (length === 0 || end + 2 + length > config.length) break
    end += 2 + length
  }
  return { count, end }
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
