import type { HuffmanSpec } from '../../syntax/jpeg-markers/huffman.ts'

export function bytesOf(hex: string): Uint8Array {
  const digits = hex.replace(/\s/g, '')
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  )
}

const DC_SYMBOLS = Uint8Array.from({ length: 12 }, (_, i) => i)

/** The Huffman tables that nine in ten cameras write, ITU-T T.81 Annex K.3: number 0 for luminance, 1 for chrominance. */
export const STANDARD_HUFFMAN: readonly HuffmanSpec[] = [
  {
    kind: 0,
    id: 0,
    counts: Uint8Array.of(0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0),
    symbols: DC_SYMBOLS,
  },
  {
    kind: 1,
    id: 0,
    counts: Uint8Array.of(0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125),
    symbols: bytesOf(
      `01020300041105122131410613516107 227114328191a1082342b1c11552d1f0 2433627282090a161718191a25262728
       292a3435363738393a43444546474849 4a535455565758595a63646566676869 6a737475767778797a83848586878889
       8a92939495969798999aa2a3a4a5a6a7 a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5 c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2
       e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8 f9fa`,
    ),
  },
  {
    kind: 0,
    id: 1,
    counts: Uint8Array.of(0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0),
    symbols: DC_SYMBOLS,
  },
  {
    kind: 1,
    id: 1,
    counts: Uint8Array.of(0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119),
    symbols: bytesOf(
      `00010203110405213106124151076171 1322328108144291a1b1c109233352f0 156272d10a162434e125f11718191a26
       2728292a35363738393a434445464748 494a535455565758595a636465666768 696a737475767778797a828384858687
       88898a92939495969798999aa2a3a4a5 a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3 c4c5c6c7c8c9cad2d3d4d5d6d7d8d9da
       e2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8 f9fa`,
    ),
  },
]

/** Quantisation of luminance and chrominance that encoders scale by quality, T.81 Annex K.1, in zigzag order. */
export const STANDARD_QUANTISATION: readonly Uint16Array[] = [
  Uint16Array.of(
    ...[16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40],
    ...[26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51],
    ...[56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87],
    ...[95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99],
  ),
  Uint16Array.of(
    ...[17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99],
    ...new Array<number>(48).fill(99),
  ),
]
