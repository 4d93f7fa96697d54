import type { BoolDecoder } from '../bool-decoder.ts'
import { type FrameFields, readFields, SIZE_BYTES } from './frame-fields.ts'
import { Probabilities } from './probabilities.ts'

/** Bytes of a key frame in front of its first partition: tag, start code, size; RFC 6386 §9.1. */
export const KEY_HEADER = 10
export const START_CODE = Uint8Array.of(0x9d, 0x01, 0x2a)
const LAST_VERSION = 3
/** The first partition has 19 bits for its size, the others have 24. */
const MOST_FIRST = 1 << 19
const MOST_TOKENS = 1 << 24

/** What a key frame says before its macroblocks. */
export interface KeyFrame extends FrameFields {
  readonly width: number
  readonly height: number
  readonly firstBytes: number
  readonly coefficients: Uint8Array
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
  const fixed = keyFields(bytes)
  if (!fixed) return undefined
  const firstEnd = KEY_HEADER + fixed.firstBytes
  const probabilities = new Probabilities()
  const modes = begin(KEY_HEADER, Math.min(firstEnd, bytes.length))
  const fields = readFields(bytes, firstEnd, modes, true, probabilities)
  return fields && { ...fixed, ...fields, coefficients: probabilities.coefficients }
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
