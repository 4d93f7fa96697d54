import type { HuffmanTables } from './tables.ts'

/** Largest category of a difference: samples have up to 16 bits. ITU-T T.81 Table H.2. */
const MOST_BITS = 16

/**
 * How differences are written. `standard`: each category is followed by its bits, none behind category 16 (ITU-T T.81
 * §H.1.2.2). `long`: 16 bits behind category 16, as DNG before 1.1 has them.
 */
export type LosslessWriting = 'standard' | 'long'

export const LOSSLESS_WRITINGS: readonly LosslessWriting[] = ['standard', 'long']

/** Bytes of ones that are enough to tell, and how few of them are followed by a zero where none are stuffed: one in 256. */
const TELLING = 64
const STUFFED = 16

/**
 * Whether data from `from` on are no entropy-coded segment, for zeros are not stuffed behind bytes of ones (ITU-T T.81 §F.1.2.3):
 * Hasselblad's lossless frames are followed by words of 32 bits, lowest byte first, with the categories of two samples in front
 * of the bits of both.
 */
export function isUnstuffed(bytes: Uint8Array, from: number): boolean {
  let ones = 0
  let stuffed = 0
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    ones++
    if (bytes[at + 1] === 0) stuffed++
  }
  return ones >= TELLING && stuffed * STUFFED < ones
}

/** Passes over the samples of a lossless scan without their values. */
export class LosslessPass {
  readonly #bytes: Uint8Array
  readonly #tables: readonly Uint16Array[]
  readonly #writing: LosslessWriting

  /** `bytes` with some zeros behind those that count; `tables` has the table of each sample of an MCU. */
  constructor(bytes: Uint8Array, tables: readonly Uint16Array[], writing: LosslessWriting) {
    this.#bytes = bytes
    this.#tables = tables
    this.#writing = writing
  }

  /** The bit behind the MCU at bit `position`, or -1 where bits are no code or it ends behind bit `end`. */
  pass(position: number, end: number): number {
    const most = this.#writing === 'long' ? MOST_BITS + 1 : MOST_BITS
    let at = position
    for (const table of this.#tables) {
      const entry = table[this.#next16(at)]
      const size = entry & 0xff
      if (entry < 256 || size > MOST_BITS) return -1
      at += (entry >>> 8) + (size < most ? size : 0)
    }
    return at > end ? -1 : at
  }

  #next16(at: number): number {
    const byte = at >>> 3
    const bytes = this.#bytes
    return (((bytes[byte] << 16) | (bytes[byte + 1] << 8) | bytes[byte + 2]) >>> (8 - (at & 7))) & 0xffff
  }
}

/** The tables of the samples of an MCU, undefined where one is missing. */
export function losslessTables(
  tables: HuffmanTables,
  components: readonly { readonly samples: number; readonly dc: number }[],
): Uint16Array[] | undefined {
  const list: Uint16Array[] = []
  for (const { samples, dc } of components) {
    const table = tables.decoding(0, dc)
    if (!table) return undefined
    for (let i = 0; i < samples; i++) list.push(table)
  }
  return list
}
