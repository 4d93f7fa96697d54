import { WRAP } from '../../../syntax/pes/time-stamp.ts'
import { HEADER_BYTES } from './packet.ts'

/** A program clock reference, ISO/IEC 13818-1:2022 §2.4.3.5. */
export interface Clock {
  /** 90 kHz, 33 bits. */
  readonly base: number
  /** 27 MHz, 9 bits. */
  readonly extension: number
}

/** Flag of an adaptation field that has one, where it stands in the packet, and its bytes. */
const HAS_CLOCK = 0x10
export const CLOCK_AT = HEADER_BYTES + 2
export const CLOCK_BYTES = 6

/** Whether the packet at `at` has an adaptation field with a clock reference. */
export function hasClock(bytes: Uint8Array, at: number): boolean {
  return (
    (bytes[at + 3] & 0x20) !== 0 &&
    bytes[at + HEADER_BYTES] > CLOCK_BYTES &&
    (bytes[at + 5] & HAS_CLOCK) !== 0
  )
}

export function readClock(bytes: Uint8Array, at: number): Clock {
  const high = bytes[at] * 2 ** 24 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])
  return { base: high * 2 + (bytes[at + 4] >> 7), extension: ((bytes[at + 4] & 1) << 8) | bytes[at + 5] }
}

/** `base` may be unwrapped. */
export function writeClock(base: number, extension: number): Uint8Array {
  const value = ((base % WRAP) + WRAP) % WRAP
  const high = Math.floor(value / 2)
  // reserved bits are set
  const middle = ((value % 2) << 7) | 0x7e | (extension >> 8)
  return Uint8Array.of(
    high >>> 24,
    (high >>> 16) & 0xff,
    (high >>> 8) & 0xff,
    high & 0xff,
    middle,
    extension & 0xff,
  )
}
