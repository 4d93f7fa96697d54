import type { HuffmanTables } from './tables.ts'

/** Largest category of a difference: samples have up to 16 bits. ITU-T T.81 Table H.2. */
const MOST_BITS = 16

/**
 * How differences are written. `standard`: each category is followed by its bits, none behind category 16 (ITU-T T.81
 * §H.1.2.2). `long`: 16 bits behind category 16, as DNG before 1.1 has them. `pairs`: two categories, then the bits of both, as
 * Hasselblad writes them.
 */
export type LosslessWriting = 'standard' | 'long' | 'pairs'

export const LOSSLESS_WRITINGS: readonly LosslessWriting[] = ['standard', 'long', 'pairs']

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
    const pairs = this.#writing === 'pairs'
    const most = this.#writing === 'long' ? MOST_BITS + 1 : MOST_BITS
    let at = position
    let behind = 0
    for (const table of this.#tables) {
      const entry = table[this.#next16(at)]
      const size = entry & 0xff
      if (entry < 256 || size > MOST_BITS) return -1
      at += entry >>> 8
      const bits = size < most ? size : 0
      if (pairs) behind += bits
      else at += bits
    }
    at += behind
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
