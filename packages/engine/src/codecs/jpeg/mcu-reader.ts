import { BLOCK_COEFFICIENTS } from './mcu-layout.ts'

/** Tables of one block of an MCU. */
export interface BlockTables {
  readonly dc: Uint16Array
  readonly ac: Uint16Array
}

/** Longest codes of differences and coefficients, ITU-T T.81 §F.1.2: 11 and 10 bits for samples of 8 bits, four more for 12. */
const DC_BITS = 11
const AC_BITS = 10
const MORE_BITS_FOR_12 = 4

/** Reads MCUs of sequential coding at any bit of entropy-coded data; it holds no state between them. */
export class McuReader {
  readonly #bytes: Uint8Array
  readonly #dc: readonly Uint16Array[]
  readonly #ac: readonly Uint16Array[]
  readonly #dcBits: number
  readonly #acBits: number
  /** Bits that may be read. */
  end: number

  /** Blocks of an MCU. */
  get blocks(): number {
    return this.#dc.length
  }

  /** `bytes` with some zeros behind the `length` that count; `blocks` has the tables of each block of an MCU. */
  constructor(bytes: Uint8Array, length: number, blocks: readonly BlockTables[], precision = 8) {
    this.#bytes = bytes
    this.#dc = blocks.map(({ dc }) => dc)
    this.#ac = blocks.map(({ ac }) => ac)
    this.#dcBits = DC_BITS + (precision > 8 ? MORE_BITS_FOR_12 : 0)
    this.#acBits = AC_BITS + (precision > 8 ? MORE_BITS_FOR_12 : 0)
    this.end = length * 8
  }

  /**
   * Reads the MCU that begins at bit `position` into `out` from `offset` on, where zeros must be: coefficients in zigzag order,
   * DC as the difference it is coded as. Returns the bit behind it, or -1 where bits are no code, too many coefficients, or past
   * the end.
   */
  read(position: number, out: Int16Array, offset: number): number {
    const bytes = this.#bytes
    const blocks = this.#dc.length
    const dcBits = this.#dcBits
    const acBits = this.#acBits
    let at = position
    let place = offset
    for (let block = 0; block < blocks; block++, place += BLOCK_COEFFICIENTS) {
      const ac = this.#ac[block]
      let byte = at >>> 3
      let shift = at & 7
      let word =
        (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
          shift) |
        (bytes[byte + 4] >>> (8 - shift))
      let entry = this.#dc[block][word >>> 16]
      let length = entry >>> 8
      let size = entry & 0xff
      if (length === 0 || size > dcBits) return -1
      if (size > 0) {
        const value = (word << length) >>> (32 - size)
        out[place] = value < 1 << (size - 1) ? value - (1 << size) + 1 : value
      }
      at += length + size
      let index = 1
      while (index < BLOCK_COEFFICIENTS) {
        byte = at >>> 3
        shift = at & 7
        word =
          (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
            shift) |
          (bytes[byte + 4] >>> (8 - shift))
        entry = ac[word >>> 16]
        length = entry >>> 8
        if (length === 0) return -1
        size = entry & 15
        const run = (entry >>> 4) & 15
        if (size === 0) {
          at += length
          if (run === 0) break
          if (run !== 15) return -1
          index += 16
          if (index >= BLOCK_COEFFICIENTS) return -1
          continue
        }
        index += run
        if (size > acBits || index >= BLOCK_COEFFICIENTS) return -1
        const value = (word << length) >>> (32 - size)
        out[place + index++] = value < 1 << (size - 1) ? value - (1 << size) + 1 : value
        at += length + size
      }
      if (at > this.end) return -1
    }
    return at
  }

  /**
   * Passes over the MCU that begins at bit `position`: as `read`, but only the difference of DC of each block goes into
   * `differences`, and into `places` the bit behind its code, where its value is.
   */
  pass(position: number, differences: Int16Array, places?: Int32Array): number {
    const bytes = this.#bytes
    const blocks = this.#dc.length
    const acBits = this.#acBits
    let at = position
    for (let block = 0; block < blocks; block++) {
      const ac = this.#ac[block]
      let byte = at >>> 3
      let shift = at & 7
      let word =
        (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
          shift) |
        (bytes[byte + 4] >>> (8 - shift))
      let entry = this.#dc[block][word >>> 16]
      let length = entry >>> 8
      let size = entry & 0xff
      if (length === 0 || size > this.#dcBits) return -1
      const value = size > 0 ? (word << length) >>> (32 - size) : 0
      differences[block] = size === 0 || value >= 1 << (size - 1) ? value : value - (1 << size) + 1
      if (places) places[block] = at + length
      at += length + size
      let index = 1
      while (index < BLOCK_COEFFICIENTS) {
        byte = at >>> 3
        shift = at & 7
        word =
          (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) <<
            shift) |
          (bytes[byte + 4] >>> (8 - shift))
        entry = ac[word >>> 16]
        length = entry >>> 8
        if (length === 0) return -1
        size = entry & 15
        const run = (entry >>> 4) & 15
        at += length + size
        if (size === 0 && run !== 15) {
          if (run === 0) break
          return -1
        }
        index += run + 1
        if (size > acBits || index > (size === 0 ? BLOCK_COEFFICIENTS - 1 : BLOCK_COEFFICIENTS)) return -1
      }
      if (at > this.end) return -1
    }
    return at
  }
}
