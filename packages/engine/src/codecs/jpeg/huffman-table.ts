import type { HuffmanSpec } from '../../syntax/jpeg-markers/huffman.ts'

const BITS = 16

/**
 * A table to decode with: for each 16 bits that may come, the length of the code they begin with in the high byte and its symbol
 * in the low one; 0 where no code begins. ITU-T T.81 Annex C, §F.2.2.3.
 */
export function decodingTable({ counts, symbols }: HuffmanSpec): Uint16Array {
  const table = new Uint16Array(1 << BITS)
  let code = 0
  let next = 0
  for (let length = 1; length <= BITS; length++) {
    for (let i = 0; i < counts[length - 1]; i++, code++, next++) {
      table.fill((length << 8) | symbols[next], code << (BITS - length), (code + 1) << (BITS - length))
    }
    code <<= 1
  }
  return table
}

/** A table to encode with: by symbol, the code and its length in bits; length 0 where the symbol has no code. */
export interface EncodingTable {
  readonly codes: Uint16Array
  readonly lengths: Uint8Array
}

export function encodingTable({ counts, symbols }: HuffmanSpec): EncodingTable {
  const codes = new Uint16Array(256)
  const lengths = new Uint8Array(256)
  let code = 0
  let next = 0
  for (let length = 1; length <= BITS; length++) {
    for (let i = 0; i < counts[length - 1]; i++, code++, next++) {
      codes[symbols[next]] = code
      lengths[symbols[next]] = length
    }
    code <<= 1
  }
  return { codes, lengths }
}
