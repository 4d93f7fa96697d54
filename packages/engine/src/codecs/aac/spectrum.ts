import { SKIP_MASK, type SpectrumTable, TABLE_BITS, VALUE_SHIFT } from './huffman-tables.ts'

/** Longest escape prefix: values end at 8191, ISO/IEC 14496-3:2019 §4.6.3.3. */
const MAX_ESCAPE_PREFIX = 8
const INDEX_SHIFT = 32 - TABLE_BITS
/** Bits that a first look may take of the 25 that four bytes hold behind any position, so that a second has all of its own. */
const SECOND_BITS = 25 - TABLE_BITS

/** Most bytes one channel's spectrum can take with every code word and escape at its longest. */
export const MAX_SPECTRUM_BYTES = 4096

/**
 * Skips `words` code words of a spectral code (1 to 10), from bit `position` on. Returns the position behind them, and
 * reads up to `MAX_SPECTRUM_BYTES` beyond that of valid data: `bytes` has to have room for them.
 */
export function skipSpectrum(
  bytes: Uint8Array,
  position: number,
  words: number,
  table: SpectrumTable,
): number {
  const several = table.several
  let at = position
  let left = words
  while (left > 0) {
    const byte = at >>> 3
    const window =
      ((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) << (at & 7)
    const index = window >>> INDEX_SHIFT
    const entry = several[index]
    const count = entry >> VALUE_SHIFT
    if (count > 0 && count <= left) {
      left -= count
      const bits = entry & SKIP_MASK
      at += bits
      if (bits > SECOND_BITS) continue
      // 25 bits of the window are good: what is left of them holds a second look
      const second = several[(window << bits) >>> INDEX_SHIFT]
      const more = second >> VALUE_SHIFT
      if (more === 0 || more > left) continue
      left -= more
      at += second & SKIP_MASK
    } else {
      const one = table.single[index]
      at += one > 0 ? one & SKIP_MASK : longWord(bytes, at, table)
      left--
    }
  }
  return at
}

/** The same for code 11, whose values of 16 continue in escape sequences. -1 when one is out of range. */
export function skipEscapeSpectrum(
  bytes: Uint8Array,
  position: number,
  words: number,
  table: SpectrumTable,
): number {
  const single = table.single
  let at = position
  for (let left = words; left > 0; left--) {
    const byte = at >>> 3
    const index =
      (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8)) << (at & 7)) >>> INDEX_SHIFT
    const entry = single[index]
    at += entry & SKIP_MASK
    for (let escapes = entry >> VALUE_SHIFT; escapes > 0; escapes--) {
      let prefix = 0
      while ((bytes[at >>> 3] >> (7 - (at & 7))) & 1) {
        at++
        if (++prefix > MAX_ESCAPE_PREFIX) return -1
      }
      at += 1 + prefix + 4
    }
  }
  return at
}

/** Bits of a code word longer than the table's index, signs included. */
function longWord(bytes: Uint8Array, at: number, table: SpectrumTable): number {
  const { first, counts, index, values } = table.long
  const byte = at >>> 3
  const window =
    (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
      (at & 7)) >>>
    0
  for (let bits = TABLE_BITS + 1; bits < counts.length; bits++) {
    const rank = (window >>> (32 - bits)) - first[bits]
    if (rank >= 0 && rank < counts[bits]) return bits + values[index[bits] + rank]
  }
  // Codes are complete: some length has matched.
  return 1
}
