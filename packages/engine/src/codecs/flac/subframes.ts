import type { FlacFrameHeader } from './frame-header.ts'

/** Bytes behind the data that may be looked at. */
export const SUBFRAME_SLACK = 8
const FIXED = 8
const HIGHEST_FIXED = 12
const LINEAR = 32
/** Channel assignments whose first or second channel is a difference, one bit wider: left-side, side-right, mid-side. */
const LEFT_SIDE = 8
const SIDE_RIGHT = 9
const MID_SIDE = 10

let at = 0

/**
 * Skips the subframes of a frame whose samples have `bits` bits, RFC 9639 §9.2, from bit `position` on. Returns the
 * byte-aligned bit position behind them, -1 where reserved values stand or `end` comes first.
 */
export function skipSubframes(
  bytes: Uint8Array,
  position: number,
  end: number,
  header: FlacFrameHeader,
  bits: number,
): number {
  at = position
  for (let channel = 0; channel < header.channels; channel++) {
    const { assignment } = header
    const side =
      assignment === SIDE_RIGHT
        ? channel === 0
        : (assignment === LEFT_SIDE || assignment === MID_SIDE) && channel === 1
    if (!skipSubframe(bytes, end, header.samples, bits + (side ? 1 : 0))) return -1
  }
  at += -at & 7
  return at
}

function skipSubframe(bytes: Uint8Array, end: number, samples: number, fullBits: number): boolean {
  if (take(bytes, 1) !== 0) return false
  const type = take(bytes, 6)
  let bits = fullBits
  if (take(bytes, 1)) {
    let wasted = 1
    while (take(bytes, 1) === 0) if (++wasted >= fullBits || at > end) return false
    bits -= wasted
    if (bits < 1) return false
  }
  if (type === 0) at += bits
  else if (type === 1) at += bits * samples
  else if (type >= FIXED && type <= HIGHEST_FIXED) {
    const order = type - FIXED
    at += order * bits
    return order <= samples && skipResiduals(bytes, end, samples, order)
  } else if (type >= LINEAR) {
    const order = type - LINEAR + 1
    at += order * bits
    const precision = take(bytes, 4) + 1
    if (precision === 16 || order > samples) return false
    at += 5 + order * precision
    return skipResiduals(bytes, end, samples, order)
  } else return false
  return at <= end
}

/** §9.2.7: partitions of Rice codes, or of numbers written out. */
function skipResiduals(bytes: Uint8Array, end: number, samples: number, order: number): boolean {
  if (at > end) return false
  const method = take(bytes, 2)
  if (method > 1) return false
  const partitions = 1 << take(bytes, 4)
  const each = samples / partitions
  if (!Number.isInteger(each) || each < order) return false
  const parameterBits = method === 0 ? 4 : 5
  const writtenOut = (1 << parameterBits) - 1
  for (let partition = 0; partition < partitions; partition++) {
    const parameter = take(bytes, parameterBits)
    const count = partition === 0 ? each - order : each
    if (parameter === writtenOut) at += take(bytes, 5) * count
    else {
      for (let code = 0; code < count; code++) {
        while (at <= end) {
          const byte = at >>> 3
          const window =
            ((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
            (at & 7)
          const zeros = Math.clz32(window)
          if (zeros < 24) {
            at += zeros + 1
            break
          }
          // The lowest bits of the window are no data.
          at += 24
        }
        at += parameter
        if (at > end) return false
      }
    }
    if (at > end) return false
  }
  return true
}

/** Up to 17 bits; zeros behind the end. */
function take(bytes: Uint8Array, count: number): number {
  const byte = at >>> 3
  if (byte + 2 >= bytes.length) {
    at += count
    return 0
  }
  const window = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8)
  const value = (window << (at & 7)) >>> (32 - count)
  at += count
  return value
}
