/** Polynomial x^16 + x^15 + x^2 + 1 of MPEG audio, AC-3 and FLAC. */
const POLYNOMIAL = 0x8005

/** Remainders of a byte with so many zero bytes behind it. */
function remainders(zeros: number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << 8
    for (let bit = 0; bit < 8 * (zeros + 1); bit++)
      remainder = ((remainder << 1) ^ (remainder & 0x8000 ? POLYNOMIAL : 0)) & 0xffff
    return remainder
  })
}

const TABLE = remainders(0)
const BEFORE_ONE = remainders(1)
const BEFORE_TWO = remainders(2)
const BEFORE_THREE = remainders(3)

/** CRC-16 with the polynomial 0x8005, most significant bit first, of `bytes[from, to)`. */
export function crc16(bytes: Uint8Array, from: number, to: number, initial: number): number {
  let crc = initial
  let at = from
  // four bytes at a time: frames are summed wherever one may begin
  for (; at + 4 <= to; at += 4)
    crc =
      BEFORE_THREE[(crc >> 8) ^ bytes[at]] ^
      BEFORE_TWO[(crc & 0xff) ^ bytes[at + 1]] ^
      BEFORE_ONE[bytes[at + 2]] ^
      TABLE[bytes[at + 3]]
  for (; at < to; at++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ bytes[at]]
  return crc
}
