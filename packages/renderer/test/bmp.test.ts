import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeBmp } from '../src/photo/bmp.ts'
import { type Clips, clips } from './clips.ts'

let scratch: Clips
beforeAll(() => {
  scratch = clips()
})
afterAll(() => scratch.remove())

interface Bitmap {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly compression?: number
  /** Bytes of its header: 12 is that of OS/2. */
  readonly size?: number
  /** What stands between the header's first 40 bytes, or 12, and the pixels. */
  readonly between?: readonly number[]
  readonly pixels: readonly number[]
}

/** All channels of the pixels of a bitmap, from the top. */
function decoded({ size = 40, between = [], ...bitmap }: Bitmap, strict = true): number[] {
  const { width, height, bits, compression = 0, pixels } = bitmap
  const head = Buffer.alloc(14 + Math.min(size, 40))
  head.write('BM', 'latin1')
  head.writeUInt32LE(head.length + between.length, 10)
  head.writeUInt32LE(size, 14)
  if (size < 40)
    for (const [i, value] of [width, height, 1, bits].entries()) head.writeUInt16LE(value, 18 + 2 * i)
  else {
    head.writeInt32LE(width, 18)
    head.writeInt32LE(height, 22)
    head.writeUInt16LE(1, 26)
    head.writeUInt16LE(bits, 28)
    head.writeUInt32LE(compression, 30)
  }
  const path = join(scratch.folder, 'one.bmp')
  writeFileSync(path, Buffer.from([...head, ...between, ...pixels]))
  return [...decodeBmp(path, strict).data]
}

/** The first three channels of each pixel. */
const shown = (bitmap: Bitmap, strict = true): number[] => decoded(bitmap, strict).filter((_, i) => i % 4 < 3)

/** Colours whose channels are all their number, and a bitmap by those numbers alone. */
const greys = (count: number): number[] => Array.from({ length: count }, (_, i) => [i, i, i, 0]).flat()
const indexes = (bitmap: Bitmap, strict = true): number[] =>
  shown(bitmap, strict).filter((_, i) => i % 3 === 0)

it('run lengths of four bits name the colour of their high half first', () => {
  const between = [0, 1, 2, 3].flatMap((i) => [i, 10 + i, 20 + i, 0])
  // two of one run, three that are named, the end
  const pixels = [2, 0x13, 0, 3, 0x20, 0x10, 0, 1]
  expect(shown({ width: 5, height: 1, bits: 4, compression: 2, between, pixels })).toEqual(
    [1, 3, 2, 0, 1].flatMap((i) => [20 + i, 10 + i, i]),
  )
})

it('colours of OS/2 take three bytes', () => {
  const between = [1, 2, 3, 4, 5, 6]
  expect(shown({ width: 2, height: 1, bits: 1, between, pixels: [0x40, 0, 0, 0], size: 12 })).toEqual([
    3, 2, 1, 6, 5, 4,
  ])
})

it('masks behind the header say where the channels of a pixel lie', () => {
  const between = [0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0]
  const pixels = [0, 0xf8, 0xe0, 7]
  expect(shown({ width: 2, height: 1, bits: 16, compression: 3, between, pixels })).toEqual([
    255, 0, 0, 0, 255, 0,
  ])
})

it('a picture whose first row in the file is its top has its height below zero', () => {
  const pixels = [1, 2, 3, 0, 4, 5, 6, 0]
  expect(shown({ width: 1, height: -2, bits: 24, between: [], pixels })).toEqual([3, 2, 1, 6, 5, 4])
})

it.each<[number, number[], number[]]>([
  [1, [0b0100_0001, 0b1000_0000, 0, 0], [0, 1, 0, 0, 0, 0, 0, 1, 1]],
  [2, [0b00_01_10_11, 0b11_10_01_00, 0b10_00_00_00, 0], [0, 1, 2, 3, 3, 2, 1, 0, 2]],
  [4, [0x01, 0x23, 0x45, 0x67, 0x80, 0, 0, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [8, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1]],
])(
  'rows of %d bits are read from the high bit on, from the lowest row up, to whole words',
  (bits, row, told) => {
    const between = greys(Math.min(1 << bits, 10))
    const other = row.map(() => 0)
    expect(indexes({ width: 9, height: 2, bits, between, pixels: [...other, ...row] })).toEqual([
      ...told,
      ...Array(9).fill(0),
    ])
  },
)

it('a colour that the palette does not have is black', () => {
  const pixels = [1, 2, 3, 0]
  expect(indexes({ width: 3, height: 1, bits: 8, between: greys(3), pixels })).toEqual([1, 2, 0])
})

it.each<[string, Omit<Bitmap, 'width' | 'height'>, number[]]>([
  ['5 bits each', { bits: 16, pixels: [0xff, 0x7f, 0x10, 0x02] }, [255, 255, 255, 255, 0, 132, 132, 255]],
  ['8 bits each', { bits: 32, pixels: [1, 2, 3, 4, 5, 6, 7, 8] }, [3, 2, 1, 255, 7, 6, 5, 255]],
  ['24 bits', { bits: 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0] }, [3, 2, 1, 255, 6, 5, 4, 255]],
  [
    'masks with one of transparency in a longer header',
    {
      ...{ bits: 32, compression: 3, size: 56, pixels: [1, 2, 3, 4, 5, 6, 7, 8] },
      between: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255],
    },
    [1, 2, 3, 4, 5, 6, 7, 8],
  ],
  [
    'four masks behind the header',
    {
      ...{ bits: 32, compression: 6, pixels: [1, 2, 3, 4, 5, 6, 7, 8] },
      between: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255],
    },
    [1, 2, 3, 4, 5, 6, 7, 8],
  ],
  [
    'no mask of transparency behind the header',
    {
      ...{ bits: 32, compression: 3, pixels: [1, 2, 3, 4, 5, 6, 7, 8] },
      between: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0],
    },
    [1, 2, 3, 255, 5, 6, 7, 255],
  ],
])('pixels of %s are themselves', (_what, bitmap, told) => {
  expect(decoded({ width: 2, height: 1, ...bitmap })).toEqual(told)
})

const RUNS = { width: 4, height: 3, bits: 8, compression: 1, between: greys(10) }

it('run lengths repeat, name, go on in a row above and skip', () => {
  // five of 1, one beyond the row; five that are named, one beyond, and their pad; two right; the end
  const pixels = [5, 1, 0, 0, 0, 5, 2, 3, 4, 0, 6, 0, 0, 0, 0, 2, 2, 0, 1, 5, 0, 0, 1, 7, 0, 1, 9, 9]
  expect(indexes({ ...RUNS, pixels })).toEqual([0, 0, 5, 0, 2, 3, 4, 0, 1, 1, 1, 1])
  expect(indexes({ ...RUNS, pixels: [1, 1, 0, 2, 1, 2, 1, 5, 0, 1] })).toEqual([
    ...[0, 0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0],
  ])
  // five of four bits take three bytes and a pad
  const fours = [0, 5, 0x12, 0x34, 0x50, 0, 1, 0x60, 0, 1]
  expect(indexes({ ...RUNS, width: 6, height: 1, bits: 4, compression: 2, pixels: fours })).toEqual([
    ...[1, 2, 3, 4, 5, 6],
  ])
})

it.each<[string, Bitmap, number[]]>([
  ['rows', { width: 1, height: 2, bits: 24, pixels: [1, 2, 3, 0, 4, 5] }, [0, 3]],
  ['words', { width: 2, height: 1, bits: 32, pixels: [1, 2, 3, 0, 1, 2, 3] }, [3, 0]],
  ['bytes', { width: 5, height: 1, bits: 8, between: greys(8), pixels: [7, 7, 7, 7] }, [7, 7, 7, 7, 0]],
  ['run lengths', { ...RUNS, pixels: [4, 1, 0, 0, 4, 2] }, [0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1]],
])('%s that break off are an error, or black', (_what, bitmap, told) => {
  expect(() => decoded(bitmap)).toThrow('the pixels of the bitmap break off')
  expect(indexes(bitmap, false)).toEqual(told)
})

const ONE = { width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0] }

it.each<[string, Bitmap]>([
  ...(['width', 'height', 'bits'] as const).map((name): [string, Bitmap] => [name, { ...ONE, [name]: 0 }]),
  ['a width below zero', { ...ONE, width: -1 }],
  ['three bits', { ...ONE, bits: 3 }],
  ['a picture of another kind in it', { ...ONE, compression: 4 }],
  ['a header of 39 bytes', { ...ONE, size: 39 }],
  ['a header that is longer than the file', { ...ONE, size: 46 }],
])('is refused with %s', (_what, bitmap) => {
  expect(() => decoded(bitmap, false)).toThrow('the header of the bitmap cannot be read')
})

it('is refused where its pixels would fill the memory', () => {
  expect(() => decoded({ ...ONE, width: 1 << 20, height: 1 << 20 })).toThrow(`${1 << 20}x${1 << 20} pixels`)
})
