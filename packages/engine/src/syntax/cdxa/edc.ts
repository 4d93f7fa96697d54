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
