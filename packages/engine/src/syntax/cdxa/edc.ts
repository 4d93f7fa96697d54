/**
 * Polynomial of the error detection code of CD-ROM sectors, ECMA-130 §14.3: (x^16+x^15+x^2+1)(x^16+x^2+x+1), least significant
 * bit first.
 */
const REVERSED = 0xd8018001

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ REVERSED : remainder >>> 1
  return remainder >>> 0
})

/** Of `bytes[from, to)`. */
export function edc(bytes: Uint8Array, from: number, to: number): number {
  let code = 0
  for (let at = from; at < to; at++) code = (code >>> 8) ^ TABLE[(code ^ bytes[at]) & 0xff]
  return code >>> 0
}

/** The remainder that a turned last bit of the code itself leaves. */
const LAST_BIT = 0x80000000

/**
 * Which bit is turned, counted from the least significant one of the first byte, where one alone makes code and bytes disagree by
 * `error`; -1 where none does. `bytes`: how many the code covers, its own four among them. Each bit of a sector leaves another
 * remainder, so that one of several turned bits is taken for a single one once in 200,000 times.
 */
export function turnedBit(error: number, bytes: number): number {
  let remainder = LAST_BIT
  for (let bit = bytes * 8 - 1; bit >= 0; bit--) {
    if (remainder === error) return bit
    remainder = (remainder & 1 ? (remainder >>> 1) ^ REVERSED : remainder >>> 1) >>> 0
  }
  return -1
}
