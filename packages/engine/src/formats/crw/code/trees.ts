import { PrefixTable } from './prefix-table.ts'

/** What there is for a block's first value, and for its further ones. */
interface Pair<Code> {
  readonly first: Code
  readonly further: Code
}

export type BlockCodes = Pair<PrefixTable>

/** Words of each length from 1 to 16 bits, and the symbols of their words in order, two hexadecimal digits each. */
type Tree = readonly [counts: readonly number[], symbols: string]

/**
 * The three pairs of codes that Canon's cameras have, by the number in record 0x1835: facts of the format, as its readers have
 * them.
 */
const TREES: readonly Pair<Tree>[] = [
  {
    first: [[0, 1, 4, 2, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], '040305060207010809000a0bff'],
    further: [
      [0, 2, 2, 2, 1, 4, 2, 1, 2, 5, 1, 1, 0, 0, 0, 139],
      [
        '0304020501060708121311140915220021160af023172431321819332541344235513637382979261a395657282752555843',
        '7659775461f9717875969749b753d774b698474895699991fab868b5b9d6f7d86746459489f881d5f6b488b12a4472d98766',
        'd4f53aa773a9a88662c765c8c9a1f4d1e95a9285a6e793e8c1c67a64e14a6ae6b3f1d3a58ab29aba84a463e5c5f3d2c482aa',
        'dae4f2ca83a3a2c3eac2e2e3',
      ].join(''),
    ],
  },
  {
    first: [[0, 2, 2, 3, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0], '030204010500060709080a0bff'],
    further: [
      [0, 2, 2, 1, 4, 1, 4, 1, 3, 3, 1, 0, 0, 0, 0, 140],
      [
        '02030104051211061307081422092100231531320a16f0243341421917251851344352293561397162365326381a37812791',
        '795545287259a1b144695458d1fa57e1f1b94947636af95646a82a4a78993a75748665c176b696d68985c9f595b4c7f78a97',
        'b873b7d8d987a77a488284eaf4a6c55a94a4c692c368b5c8e4e5e6e9a2a3e3c2666793aad4d5e7f8889ad777c464e298a5ca',
        'dae8f3f6a9b2b3f2d283bad3',
      ].join(''),
    ],
  },
  {
    first: [[0, 0, 6, 3, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], '0605070408030902000a010bff'],
    further: [
      [0, 0, 6, 2, 1, 3, 3, 2, 5, 1, 2, 2, 8, 10, 0, 117],
      [
        '04050306020701080912131411150a1617f00022211823192432312533383734353639795758592856782741297726427699',
        '1a559897f94854968947b749fa7568b66769b9b8d852d788b5745146d9f83ad687457a95d5f686b4a994532aa843f5f7d466',
        'a75a448ac9e8c8e79a6a734a61c7f4c665e972e6719193a6da928562f3c5b2a484ba64a5b3d281e5d3aac4caf2b1e4d18363',
        'eac3e282f1a3c2a1c1e3a2e1',
      ].join(''),
    ],
  },
]

/** The codes with a number; the last ones for numbers beyond. */
export function blockCodes(number: number): BlockCodes {
  const { first, further } = TREES[Math.min(number, TREES.length - 1)]
  return { first: tableOf(first), further: tableOf(further) }
}

function tableOf([counts, symbols]: Tree): PrefixTable {
  return new PrefixTable(
    counts,
    Uint8Array.from(symbols.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
  )
}
