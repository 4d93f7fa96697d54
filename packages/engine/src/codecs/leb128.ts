/** Bytes of a number below 2^32 at most. */
const MOST_BYTES = 5

/**
 * leb128 of AV1 (specification §4.10.5) and IAMF (v1.1.0 §3.10.2) between two places: value and bytes; no bytes when it is none
 * below 2^32.
 */
export function readLeb128(
  byteAt: (at: number) => number,
  at: number,
  end: number,
): { value: number; bytes: number } {
  let value = 0
  for (let i = 0; i < MOST_BYTES && at + i < end; i++) {
    const byte = byteAt(at + i)
    value += (byte & 127) * 2 ** (7 * i)
    if (byte < 128) return { value, bytes: value < 2 ** 32 ? i + 1 : 0 }
  }
  return { value: 0, bytes: 0 }
}
