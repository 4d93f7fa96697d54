import type { HuffmanSpec } from '../../syntax/jpeg-markers/huffman.ts'
import { bytesOf, STANDARD_HUFFMAN } from './standard-tables.ts'

/** Four tables in the order of the standard's: DC and AC of luminance, DC and AC of chrominance. */
function setOf(tables: readonly (readonly [counts: readonly number[], symbols: string])[]): HuffmanSpec[] {
  return tables.map(([counts, symbols], index) => ({
    kind: index % 2 === 0 ? 0 : 1,
    id: index >> 1,
    counts: Uint8Array.from(counts),
    symbols: bytesOf(symbols),
  }))
}

/** The standard's with no codes of 14 and 15 bits: all of those have 16, as some cameras write them. */
const LONG_CODES: readonly HuffmanSpec[] = STANDARD_HUFFMAN.map((spec) => {
  const { kind, counts } = spec
  if (kind === 0) return spec
  const shorter = counts.slice(0, 13)
  const rest = counts.subarray(13).reduce((sum, count) => sum + count, 0)
  return { ...spec, counts: Uint8Array.of(...shorter, 0, 0, rest) }
})

/** Those of a widespread photo editor for its finest quality, for most, and for small files with chrominance of half the size. */
const EDITORS: readonly (readonly HuffmanSpec[])[] = [
  setOf([
    [[0, 0, 7, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], `040503020601000708090a0b`],
    [
      [0, 2, 1, 3, 3, 2, 4, 2, 6, 7, 3, 4, 2, 6, 2, 115],
      `01020311040005211231415106136122 7181143291a10715b14223c152d1e133 1662f0247282f12543345392a2b26373
      c235442793a3b33617546474c3d2e208 2683090a181984944546a4b456d35528 1af2e3f3c4d4e4f465758595a5b5c5d5
      e5f566768696a6b6c6d6e6f637475767 778797a7b7c7d7e7f738485868788898 a8b8c8d8e8f82939495969798999a9b9
      c9d9e9f92a3a4a5a6a7a8a9aaabacada eafa`,
    ],
    [[0, 2, 2, 3, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], `010002030405060708090a0b`],
    [
      [0, 2, 2, 1, 2, 3, 5, 5, 4, 5, 6, 4, 8, 3, 3, 109],
      `01000211030421123141055113612206 71819132a1b1f014c1d1e12342155262 72f1332434438216925325a263b2c207
      73d235e2448317549308090a18192636 451a2764745537f2a3b3c32829d3e3f3 8494a4b4c4d4e4f465758595a5b5c5d5
      e5f5465666768696a6b6c6d6e6f64757 67778797a7b7c7d7e7f7384858687888 98a8b8c8d8e8f839495969798999a9b9
      c9d9e9f92a3a4a5a6a7a8a9aaabacada eafa`,
    ],
  ]),
  setOf([
    [[0, 0, 6, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], `070806050409030a0201000b`],
    [
      [0, 2, 1, 3, 4, 1, 3, 3, 2, 3, 3, 3, 2, 6, 9, 117],
      `01020304110512062107132200083114 41322315095142166124331752718118 62912543a1b1f02634720a19c1d13527
      e1533682f192a2445473454637476328 5556571ab2c2d2e2f2648374938465a3 b3c3d3e3293866f3752a393a48494a58
      595a6768696a767778797a8586878889 8a9495969798999aa4a5a6a7a8a9aab4 b5b6b7b8b9bac4c5c6c7c8c9cad4d5d6
      d7d8d9dae4e5e6e7e8e9eaf4f5f6f7f8 f9fa`,
    ],
    [[0, 0, 6, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], `060504030702080109000a0b`],
    [
      [0, 2, 1, 3, 2, 4, 4, 3, 5, 4, 4, 4, 6, 6, 5, 109],
      `01020311042112053106002213415107 3261147108428123911552a162163309 b124c1d14372f017e182342592531863
      44f1a2b226351954364564270a738393 4674c2d2e2f255657556378485a3b3c3 d3e3f3291a94a4b4c4d4e4f495a5b5c5
      d5e5f52847576638768696a6b6c6d6e6 f667778797a7b7c7d7e7f74858687888 98a8b8c8d8e8f839495969798999a9b9
      c9d9e9f92a3a4a5a6a7a8a9aaabacada eafa`,
    ],
  ]),
  setOf([
    [[0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], `030001020405060708090a0b`],
    [
      [0, 1, 4, 1, 3, 2, 4, 2, 5, 7, 6, 8, 5, 3, 12, 51],
      `01000211030421123105415161132271 8132061491a1b14223241552c1623334 7282d14307259253f0e1f163733516a2
      b283264493546445c2a3743617d255e2 65f2b384c3d375e3f3462794a485b495 c4d4e4f4a5b5c5d5e5f55666768696a6
      b6c6d6e6f637475767778797a7b7c7d7 e7f7`,
    ],
    [[0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], `010002030405060708090a0b`],
    [
      [0, 2, 2, 1, 2, 4, 4, 3, 4, 5, 6, 7, 7, 6, 5, 53],
      `01000211032131120441516171221305 32819114a1b14223c152d1f0332462e1 728292435315637334f1250616a2b283
      072635c2d2449354a317644555367465 e2f2b384c3d375e3f34694a485b495c4 d4e4f4a5b5c5d5e5f55666768696a6b6
      c6d6e6f62737475767778797a7b7c7`,
    ],
  ]),
]

/**
 * Sets of Huffman tables that encoders write into every file, whatever the picture, by how often: the standard's, ITU-T T.81
 * Annex K.3, which nine in ten photos have, and those that came up in public photos of several cameras.
 */
export const FIXED_HUFFMAN: readonly (readonly HuffmanSpec[])[] = [STANDARD_HUFFMAN, LONG_CODES, ...EDITORS]
