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
  /** What stands between the header and the pixels. */
  readonly between: readonly number[]
  readonly pixels: readonly number[]
}

/** The first three channels of each pixel of a bitmap, from the top. `core`: behind the header of OS/2. */
function shown({ width, height, bits, compression = 0, between, pixels }: Bitmap, core = false): number[] {
  const size = core ? 12 : 40
  const head = Buffer.alloc(14 + size)
  head.write('BM', 'latin1')
  head.writeUInt32LE(head.length + between.length, 10)
  head.writeUInt32LE(size, 14)
  if (core) for (const [i, value] of [width, height, 1, bits].entries()) head.writeUInt16LE(value, 18 + 2 * i)
  else {
    head.writeInt32LE(width, 18)
    head.writeInt32LE(height, 22)
    head.writeUInt16LE(1, 26)
    head.writeUInt16LE(bits, 28)
    head.writeUInt32LE(compression, 30)
  }
  const path = join(scratch.folder, 'one.bmp')
  writeFileSync(path, Buffer.from([...head, ...between, ...pixels]))
  return [...decodeBmp(path, true).data].filter((_, i) => i % 4 < 3)
}

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
  expect(shown({ width: 2, height: 1, bits: 1, between, pixels: [0x40, 0, 0, 0] }, true)).toEqual([
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
