/** CRC-32 of program specific information, ISO/IEC 13818-1:2022 Annex A: most significant bit first, not inverted. */
const POLYNOMIAL = 0x04c11db7

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 0x8000_0000 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1
  return remainder
})

/** Of `bytes[from, to)`; 0 over a section with its checksum. */
export function crc32(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffff_ffff
  for (let at = from; at < to; at++) crc = (crc << 8) ^ TABLE[(crc >>> 24) ^ bytes[at]]
  return crc >>> 0
}
