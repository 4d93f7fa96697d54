import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { explainedRanges } from '../../../src/formats/tiff/read/explained.ts'
import { readStructure } from '../../../src/formats/tiff/read/structure.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

type Field = readonly [tag: number, type: number, value: number | readonly number[]]

const [HEADER, ENTRY, SHORT, LONG, RATIONAL] = [8, 12, 3, 4, 5]
const [WIDTH, HEIGHT] = [768, 64]
const ROW = WIDTH / 8

/** A drawing of bilevel stripes whose rows are alike a few rows apart. */
function stripes(): Uint8Array {
  return Uint8Array.from({ length: ROW * HEIGHT }, (_, i) => ((Math.floor(i / ROW) & 3) > 1 ? 0xff : 0))
}

/** Fields of a directory; `width` and `height` in pixels of one bit, in one strip. */
function bilevel(width: number, height: number, offset: number, bytes: number): Field[] {
  const short = ([tag, value]: readonly [number, number]): Field => [tag, SHORT, value]
  const parts = (
    [
      [256, width],
      [257, height],
      [258, 1],
      [259, 1],
      [262, 0],
    ] as const
  ).map(short)
  return [...parts, [273, LONG, offset], [277, SHORT, 1], [278, SHORT, height], [279, LONG, bytes]]
}

/** Bytes of a directory at `at`, whose longer values follow it; `next` is left out where it is undefined. */
function directory(at: number, fields: readonly Field[], next: number | undefined): number[] {
  const length = 2 + ENTRY * fields.length + (next === undefined ? 0 : 4)
  const bytes: number[] = [fields.length, 0]
  const behind: number[] = []
  for (const [tag, type, value] of fields) {
    const count = typeof value === 'number' ? 1 : value.length / (type === RATIONAL ? 8 : 2)
    bytes.push(...little(tag, 2), ...little(type, 2), ...little(count, 4))
    bytes.push(...little(typeof value === 'number' ? value : at + length + behind.length, 4))
    if (typeof value !== 'number') behind.push(...value)
  }
  return [...bytes, ...(next === undefined ? [] : little(next, 4)), ...behind]
}

function little(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 255)
}

const START = [0x49, 0x49, 42, 0, HEADER, 0, 0, 0]

async function verdictOf(bytes: Uint8Array): Promise<string> {
  return (await repairPhoto(bytes, 'tif')).report.verdict
}

it('directories of Exif behind the pixels are no bytes that came in', () => {
  const size = ROW * HEIGHT
  const exif =
    HEADER + directory(HEADER, [...bilevel(WIDTH, HEIGHT, 0, size), [34_665, LONG, 0]], 0).length + size
  const first = directory(HEADER, [...bilevel(WIDTH, HEIGHT, exif - size, size), [34_665, LONG, exif]], 0)
  const camera = (gps: number): Field[] => [
    [33_434, RATIONAL, Array(8).fill(1)],
    [34_853, LONG, gps],
  ]
  const gps = exif + directory(exif, camera(0), 0).length
  const behind = [
    ...directory(exif, camera(gps), 0),
    ...directory(gps, [[2, RATIONAL, Array(24).fill(7)]], 0),
  ]
  const bytes = Uint8Array.from([...START, ...first, ...stripes(), ...behind])
  const numbers = new TiffNumbers(new ByteReader(new MemorySource(bytes)), true)
  const root = readIfd(numbers, HEADER, false)
  const ranges = root ? explainedRanges(numbers, readStructure(numbers, root, false, DEFAULT_LIMITS)) : []
  expect(Math.max(...ranges.map(([, end]) => end))).toBe(bytes.length)
})

it('all pages of a file are read, and one that is not there is told', () => {
  const size = ROW * HEIGHT
  const length = directory(HEADER, bilevel(WIDTH, HEIGHT, 0, size), 0).length
  const second = HEADER + length + size
  const page = (at: number, next: number): number[] =>
    directory(at, bilevel(WIDTH, HEIGHT, at + length, size), next)
  const last = second + length + size
  const bytes = Uint8Array.from([
    ...START,
    ...page(HEADER, second),
    ...stripes(),
    ...page(second, last),
    ...stripes(),
  ])
  const numbers = new TiffNumbers(new ByteReader(new MemorySource(bytes)), true)
  const root = readIfd(numbers, HEADER, false)
  const { images, broken } = root
    ? readStructure(numbers, root, false, DEFAULT_LIMITS)
    : { images: [], broken: [] }
  expect(images.length).toBe(2)
  expect(broken).toEqual([{ at: second + length - 4, to: last }])
})

describe('a TIFF that is as its writer left it', () => {
  it('is healthy without a pointer behind its directory, where values begin at once', async () => {
    const layout = bilevel(WIDTH, HEIGHT, 0, ROW * HEIGHT)
    const colour = layout.map(([tag, type, value]): Field => {
      if (tag === 258) return [tag, type, [8, 0, 8, 0, 8, 0]]
      if (tag === 256) return [tag, type, ROW / 3]
      if (tag === 273) return [tag, LONG, HEADER + 2 + ENTRY * layout.length + 6]
      if (tag === 262) return [tag, type, 2]
      return tag === 277 ? [tag, type, 3] : [tag, type, value]
    })
    const bytes = Uint8Array.from([...START, ...directory(HEADER, colour, undefined), ...stripes()])
    expect(await verdictOf(bytes)).toBe('healthy')
  })

  it('is healthy where the directory of a layer has no pixels', async () => {
    const pixels = HEADER + directory(HEADER, bilevel(1, 1, 0, 0), 0).length
    const second = pixels + ROW * HEIGHT
    const first = directory(HEADER, bilevel(WIDTH, HEIGHT, pixels, ROW * HEIGHT), second)
    const empty = directory(second, bilevel(10 * WIDTH, 10 * HEIGHT, 0, 0), 0)
    expect(await verdictOf(Uint8Array.from([...START, ...first, ...stripes(), ...empty]))).toBe('healthy')
  })
})
