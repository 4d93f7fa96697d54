import { splitStartCodes } from '../nal/start-code.ts'
import { PPS, SPS, VPS } from './nal-types.ts'
import { type Pps, parsePps } from './pps.ts'
import { parseSps, type Sps } from './sps.ts'
import { parseVps, type Vps } from './vps.ts'

/** HEVCDecoderConfigurationRecord, ISO/IEC 14496-15:2022 §8.3.2.1. */
export interface HevcConfig {
  /** Bytes of the length in front of each NAL unit: 1, 2 or 4 (3 occurs against the standard). */
  readonly lengthSize: number
  readonly vps: readonly Vps[]
  readonly sps: readonly Sps[]
  readonly pps: readonly Pps[]
}

const HEADER_BYTES = 23

/** Parses an `hvcC` payload; undefined when it is none. Sets that do not parse are left out. */
export function parseHvcC(config: Uint8Array): HevcConfig | undefined {
  // writers before the standard was final put 0 as the version
  if (config.length < HEADER_BYTES || config[0] > 1) return undefined
  const nals: Uint8Array[] = []
  let at = HEADER_BYTES
  for (let array = 0; array < config[22] && at + 3 <= config.length; array++) {
    const count = (config[at + 1] << 8) | config[at + 2]
    at += 3
    for (let i = 0; i < count && at + 2 <= config.length; i++) {
      const length = (config[at] << 8) | config[at + 1]
      nals.push(config.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }
  return { lengthSize: (config[21] & 3) + 1, ...collect(nals) }
}

/** Where a record holds what slices are read with: its sequence and picture parameter sets. */
export function setPlaces(config: Uint8Array): { readonly offset: number; readonly length: number }[] {
  const sets: { offset: number; length: number }[] = []
  let at = HEADER_BYTES
  for (let array = 0; array < config[HEADER_BYTES - 1] && at + 3 <= config.length; array++) {
    const type = config[at] & 63
    const count = (config[at + 1] << 8) | config[at + 2]
    at += 3
    for (let i = 0; i < count && at + 2 <= config.length; i++) {
      const length = (config[at] << 8) | config[at + 1]
      at += 2
      if ((type === SPS || type === PPS) && at + length <= config.length) sets.push({ offset: at, length })
      at += length
    }
  }
  return sets
}

/**
 * Where a record says how many arrays and units it holds and how long they are, as far as it leads: one bit of it leads astray.
 */
export function countPlaces(config: Uint8Array): { readonly offset: number; readonly length: number }[] {
  if (config.length < HEADER_BYTES) return []
  const places = [{ offset: HEADER_BYTES - 1, length: 1 }]
  let at = HEADER_BYTES
  // an array may be left out of the count
  for (let array = 0; array <= config[HEADER_BYTES - 1] && at + 3 <= config.length; array++) {
    const count = (config[at + 1] << 8) | config[at + 2]
    places.push({ offset: at, length: 3 })
    at += 3
    for (let i = 0; i < count && at + 2 <= config.length; i++) {
      places.push({ offset: at, length: 2 })
      at += 2 + ((config[at] << 8) | config[at + 1])
    }
  }
  return places
}

/**
 * Whether a record's arrays lie within it and hold what they say: parameter sets that can be read, NAL units of their array's
 * type. Players refuse others, whatever the pictures bring themselves.
 */
export function isWholeHvcC(config: Uint8Array): boolean {
  let at = HEADER_BYTES
  for (let array = 0; array < config[22]; array++) {
    if (at + 3 > config.length) return false
    const type = config[at] & 63
    const count = (config[at + 1] << 8) | config[at + 2]
    at += 3
    for (let i = 0; i < count; i++) {
      const length = (config[at] << 8) | config[at + 1]
      const nal = config.subarray(at + 2, at + 2 + length)
      at += 2 + length
      if (!(at <= config.length) || nal[0] >> 1 !== type) return false
      if (type === VPS && !parseVps(nal)) return false
      if (type === SPS && !parseSps(nal)) return false
      if (type === PPS && !parsePps(nal)) return false
    }
  }
  return config.length >= HEADER_BYTES
}

/** Collects the parameter sets of an Annex B stretch. */
export function parameterSetsOf(stream: Uint8Array): Omit<HevcConfig, 'lengthSize'> {
  return collect(splitStartCodes(stream))
}

function collect(nals: readonly Uint8Array[]): Omit<HevcConfig, 'lengthSize'> {
  const vps: Vps[] = []
  const sps: Sps[] = []
  const pps: Pps[] = []
  for (const nal of nals) {
    const video = parseVps(nal)
    if (video) vps.push(video)
    const sequence = parseSps(nal)
    if (sequence) sps.push(sequence)
    const picture = parsePps(nal)
    if (picture) pps.push(picture)
  }
  return { vps, sps, pps }
}

/** Builds an `hvcC` payload from parameter sets found in a stream. @throws RangeError without a sequence parameter set. */
export function buildHvcC(
  vps: readonly Vps[],
  sps: readonly Sps[],
  pps: readonly Pps[],
  lengthSize = 4,
): Uint8Array {
  const first = sps[0]
  if (!first) throw new RangeError('an hvcC needs a sequence parameter set')
  const bytes: number[] = [
    1,
    ...first.profileTierLevel,
    0xf0,
    0,
    0xfc,
    0xfc | first.chromaFormat,
    0xf8 | (first.bitDepthLuma - 8),
    0xf8 | (first.bitDepthChroma - 8),
    0,
    0,
    (first.maxSubLayers << 3) | (first.temporalIdNesting ? 4 : 0) | (lengthSize - 1),
    3,
  ]
  for (const [type, sets] of [
    [VPS, vps],
    [SPS, sps],
    [PPS, pps],
  ] as const) {
    bytes.push(0x80 | type, 0, Math.min(sets.length, 255))
    for (const { bytes: nal } of sets.slice(0, 255)) bytes.push(nal.length >> 8, nal.length & 255, ...nal)
  }
  return Uint8Array.from(bytes)
}
