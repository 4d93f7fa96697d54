/** Polynomial x^16 + x^15 + x^2 + 1 of MPEG audio, AC-3 and FLAC. */
const POLYNOMIAL = 0x8005

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder & 0x8000 ? POLYNOMIAL : 0)
  return remainder & 0xffff
})

/** CRC-16 with the polynomial 0x8005, most significant bit first, of `bytes[from, to)`. */
export function crc16(bytes: Uint8Array, from: number, to: number, initial: number): number {
  let crc = initial
  for (let at = from; at < to; at++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ bytes[at]]
  return crc
}
