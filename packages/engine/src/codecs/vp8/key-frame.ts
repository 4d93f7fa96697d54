import type { BoolDecoder } from '../bool-decoder.ts'
import { COEFFICIENT_UPDATES, DEFAULT_COEFFICIENTS } from './coefficient-probabilities.ts'

/** Bytes of a key frame in front of its first partition: tag, start code, size; RFC 6386 §9.1. */
export const KEY_HEADER = 10
export const START_CODE = Uint8Array.of(0x9d, 0x01, 0x2a)
const EVEN = 128
/** Bytes of the size in front of each of the further partitions but the last, §9.5. */
export const SIZE_BYTES = 3
const LAST_VERSION = 3
/** The first partition has 19 bits for its size, the others have 24. */
const MOST_FIRST = 1 << 19
const MOST_TOKENS = 1 << 24

/** What a key frame says before its macroblocks. */
export interface KeyFrame {
  readonly width: number
  readonly height: number
  readonly firstBytes: number
  /** The first partition, read up to where the macroblocks' modes begin. */
  readonly modes: BoolDecoder
  readonly hasSegmentMap: boolean
  readonly segmentProbabilities: Uint8Array
  readonly coefficients: Uint8Array
  /** Probability of a macroblock with coefficients; undefined where that is not told. */
  readonly skipProbability: number | undefined
  /** Where each further partition lies in the frame; the last goes on to its end. */
  readonly partitions: readonly { readonly from: number; readonly to: number }[]
}

/** The fixed fields of a key frame; undefined where there is none. */
export function keyFields(
  bytes: Uint8Array,
): { width: number; height: number; firstBytes: number } | undefined {
  if (bytes.length < KEY_HEADER) return undefined
  const tag = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16)
  const startCode = START_CODE.every((byte, i) => bytes[3 + i] === byte)
  const width = (bytes[6] | (bytes[7] << 8)) & 0x3fff
  const height = (bytes[8] | (bytes[9] << 8)) & 0x3fff
  if ((tag & 1) === 1 || ((tag >> 1) & 7) > LAST_VERSION || !startCode || width === 0 || height === 0)
    return undefined
  return { width, height, firstBytes: tag >> 5 }
}

/** Begins to read a partition of a frame. */
export type BeginPartition = (from: number, to: number) => BoolDecoder

/** Reads a key frame's header, RFC 6386 §9.2 to §9.11, §19.2; undefined where it breaks off. */
export function readKeyFrame(bytes: Uint8Array, begin: BeginPartition): KeyFrame | undefined {
  const fields = keyFields(bytes)
  if (!fields) return undefined
  const { width, height, firstBytes } = fields
  const firstEnd = KEY_HEADER + firstBytes
  const bools = begin(KEY_HEADER, Math.min(firstEnd, bytes.length))
  const flag = (): boolean => bools.bool(EVEN) === 1
  // colour space and clamping
  bools.literal(2)
  let hasSegmentMap = false
  const segmentProbabilities = new Uint8Array(3).fill(255)
  if (flag()) {
    hasSegmentMap = flag()
    if (flag()) {
      bools.literal(1)
      for (const bits of [7, 6]) for (let i = 0; i < 4; i++) if (flag()) bools.literal(bits + 1)
    }
    if (hasSegmentMap) for (let i = 0; i < 3; i++) if (flag()) segmentProbabilities[i] = bools.literal(8)
  }
  // filter type, level and sharpness
  bools.literal(1 + 6 + 3)
  const adjusted = flag() && flag()
  for (let i = 0; adjusted && i < 8; i++) if (flag()) bools.literal(6 + 1)
  const count = 1 << bools.literal(2)
  // quantizer indices
  bools.literal(7)
  for (let i = 0; i < 5; i++) if (flag()) bools.literal(4 + 1)
  // refresh_entropy_probs
  bools.literal(1)
  const coefficients = Uint8Array.from(DEFAULT_COEFFICIENTS)
  for (let i = 0; i < coefficients.length; i++)
    if (bools.bool(COEFFICIENT_UPDATES[i]) === 1) coefficients[i] = bools.literal(8)
  const skipProbability = flag() ? bools.literal(8) : undefined
  if (bools.overrun) return undefined
  let from = firstEnd + SIZE_BYTES * (count - 1)
  const partitions = Array.from({ length: count }, (_, i) => {
    const at = firstEnd + SIZE_BYTES * i
    const size =
      i < count - 1 ? (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) : Infinity
    const to = Math.min(from + size, Math.max(from, bytes.length))
    const partition = { from, to }
    from += size
    return partition
  })
  return {
    ...{ width, height, firstBytes, modes: bools, hasSegmentMap, segmentProbabilities },
    ...{ coefficients, skipProbability, partitions },
  }
}

/** A key frame of the fixed fields of another one and partitions of its own; undefined where their sizes have no room. */
export function joinKeyFrame(
  fields: Uint8Array,
  first: Uint8Array,
  tokens: readonly Uint8Array[],
): Uint8Array | undefined {
  if (first.length >= MOST_FIRST || tokens.some(({ length }) => length >= MOST_TOKENS)) return undefined
  const sizes = SIZE_BYTES * (tokens.length - 1)
  const frame = new Uint8Array(
    KEY_HEADER + first.length + sizes + tokens.reduce((sum, { length }) => sum + length, 0),
  )
  frame.set(fields.subarray(0, KEY_HEADER))
  setNumber(frame, 0, (fields[0] & 0x1f) | (first.length << 5))
  frame.set(first, KEY_HEADER)
  let at = KEY_HEADER + first.length + sizes
  for (const [i, partition] of tokens.entries()) {
    if (i < tokens.length - 1) setNumber(frame, KEY_HEADER + first.length + SIZE_BYTES * i, partition.length)
    frame.set(partition, at)
    at += partition.length
  }
  return frame
}

function setNumber(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < SIZE_BYTES; i++) bytes[at + i] = (value >> (8 * i)) & 0xff
}
