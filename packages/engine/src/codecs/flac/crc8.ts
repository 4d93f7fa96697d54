const TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder & 0x80 ? 0x07 : 0)
  return remainder & 255
})

/** CRC-8 with the polynomial x^8 + x^2 + x + 1 of `bytes[from, to)`, RFC 9639 §9.1.8. */
export function crc8(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0
  for (let at = from; at < to; at++) crc = TABLE[crc ^ bytes[at]]
  return crc
}
