import { readLeb128 } from '../leb128.ts'

/** obu_type, IAMF v1.1.0 §3.2. */
export const CODEC_CONFIG = 0
export const AUDIO_ELEMENT = 1
export const PARAMETER_BLOCK = 3
/** Audio frame whose substream is told in the payload, and the first and last of those whose type tells it. */
export const AUDIO_FRAME = 5
const FIRST_NUMBERED = 6
export const LAST_NUMBERED = 23

const REDUNDANT_COPY = 4
const TRIMMED = 2
const EXTENDED = 1

/** One open bitstream unit: places of its payload and its end. */
export interface Obu {
  readonly type: number
  readonly redundant: boolean
  readonly payload: number
  readonly end: number
  /** Samples that are not to be played, of its end and of its beginning. */
  readonly trimmed: number
  /** Of an audio frame: the substream's identifier. Otherwise -1. */
  readonly substream: number
}

/** The unit at `at`, not reaching past `end`; undefined where none does. */
export function readObu(byteAt: (at: number) => number, at: number, end: number): Obu | undefined {
  if (at + 2 > end) return undefined
  const head = byteAt(at)
  const type = head >> 3
  const size = readLeb128(byteAt, at + 1, end)
  let payload = at + 1 + size.bytes
  const stop = payload + size.value
  if (size.bytes === 0 || stop > end) return undefined
  const number = (): number => {
    const { value, bytes } = readLeb128(byteAt, payload, stop)
    payload = bytes > 0 ? payload + bytes : Number.POSITIVE_INFINITY
    return value
  }
  const trimmed = head & TRIMMED ? number() + number() : 0
  if (head & EXTENDED) payload += number()
  const substream = substreamOf(type, number)
  // a frame holds at least a byte
  if (payload > stop || (substream >= 0 && payload === stop)) return undefined
  return { type, redundant: (head & REDUNDANT_COPY) !== 0, payload, end: stop, trimmed, substream }
}

function substreamOf(type: number, number: () => number): number {
  if (type === AUDIO_FRAME) return number()
  return type >= FIRST_NUMBERED && type <= LAST_NUMBERED ? type - FIRST_NUMBERED : -1
}
