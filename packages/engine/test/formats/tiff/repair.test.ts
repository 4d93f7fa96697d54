import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { imageOf, type TiffImage } from '../../../src/formats/tiff/read/image.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { readTiffHeader } from '../../../src/syntax/tiff-ifd/header.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { fixtureOf, fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const FIXTURES = fixturesOf(tiff)

const fixture = (name: string) => fixtureOf(tiff, name)

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'tif', sample)

function firstImage(bytes: Uint8Array): TiffImage {
  const reader = new ByteReader(new MemorySource(bytes))
  const header = readTiffHeader(reader)
  if (!header) throw new Error('no header')
  const numbers = new TiffNumbers(reader, header.little)
  const ifd = readIfd(numbers, header.firstIfd, header.big)
  const image = ifd && imageOf(numbers, ifd)
  if (!image) throw new Error('no picture')
  return image
}

function doubts(report: PhotoReport): string[] {
  return (report.doubts ?? []).map(({ code }) => code)
}

describe.each(FIXTURES)('bytes in front of the file $name', ({ bytes }) => {
  it.each([1, 9, 777, 60_000])('%i of them are left out', async (count) => {
    const random = randomFrom(count)
    const junk = Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    const damaged = Uint8Array.from([...junk, ...bytes])
    const { report, bytes: back } = await repaired(damaged)
    expect(report.findings).toMatchObject([{ code: 'tiff.leading-data', offset: 0, length: count }])
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(back, bytes)).toBe(0)
    expect((await diagnose({ file: { source: new MemorySource(damaged) } })).healthy).toBe(false)
  })
})

/**
 * A little grey picture whose one strip begins right behind the header; its directory and what that points to stand behind it, or
 * in front.
 */
function plainBehindHeader(directoryFirst = false): Uint8Array {
  const [width, height] = [40, 30]
  const size = 2 + 12 * 12 + 4 + 16 + TEXT.length
  const [directory, pixels] = directoryFirst ? [8, 8 + size] : [8 + width * height, 8]
  const fields = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 4, 1, 8],
    [259, 4, 1, 1],
    [262, 4, 1, 1],
    [273, 4, 1, pixels],
    [277, 4, 1, 1],
    [278, 4, 1, height],
    [279, 4, 1, width * height],
    [282, 5, 1, 0],
    [283, 5, 1, 8],
    [305, 2, TEXT.length, 16],
  ]
  const behind = directory + 2 + 12 * fields.length + 4
  const bytes = new Uint8Array(8 + size + width * height)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0])
  view.setUint32(4, directory, true)
  for (let i = 0; i < width * height; i++) bytes[pixels + i] = 20 + ((i * 7) % 200)
  view.setUint16(directory, fields.length, true)
  fields.forEach(([tag, type, count, value], i) => {
    const at = directory + 2 + 12 * i
    view.setUint16(at, tag, true)
    view.setUint16(at + 2, type, true)
    view.setUint32(at + 4, count, true)
    view.setUint32(at + 8, type === 4 ? value : behind + value, true)
  })
  for (const at of [behind, behind + 8]) {
    view.setUint32(at, 72, true)
    view.setUint32(at + 4, 1, true)
  }
  bytes.set(new TextEncoder().encode(TEXT), behind + 16)
  return bytes
}

const TEXT = 'a program of some name\0'

describe('a file whose header was overwritten', () => {
  it('by zeros that end with it comes back byte for byte', async () => {
    const file = plainBehindHeader()
    const { report, bytes } = await repaired(headZeroed(file, 8))
    expect(report.verdict).toBe('repaired')
    expect(bytes).toEqual(file)
  })

  it('by zeros that go on in its pixels is not called repaired', async () => {
    const { report } = await repaired(headZeroed(plainBehindHeader(), 40))
    expect(doubts(report)).toEqual(['beginning-hit'])
  })

  it('by noise is not called repaired where pixels without a check are behind it', async () => {
    const file = plainBehindHeader()
    for (let i = 0; i < 40; i++) file[i] = (i * 89 + 5) & 0xff
    const { report } = await repaired(file)
    expect(doubts(report)).toEqual(['beginning-hit'])
  })

  it('by noise comes back byte for byte where its directory is in front of the pixels', async () => {
    const file = plainBehindHeader(true)
    const damaged = Uint8Array.from(file)
    for (let i = 0; i < 8; i++) damaged[i] = (i * 89 + 5) & 0xff
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(bytes).toEqual(file)
  })

  it('by one bit comes back byte for byte', async () => {
    const file = plainBehindHeader()
    for (const at of [0, 2, 5, 6]) {
      const damaged = Uint8Array.from(file)
      damaged[at] ^= 8
      const { report, bytes } = await repaired(damaged)
      expect(report.verdict, `byte ${at}`).toBe('repaired')
      expect(bytes, `byte ${at}`).toEqual(file)
    }
  })
})

it('a directory whose samples have more bits than there can be describes no picture', () => {
  const file = plainBehindHeader()
  // the third field of the directory
  const bits = 8 + 40 * 30 + 2 + 2 * 12 + 8
  expect(file[bits]).toBe(8)
  expect(firstImage(file).rowBytes).toBe(40)
  file[bits + 1] = 0x20
  expect(() => firstImage(file)).toThrow('no picture')
})

describe('a file without its header', () => {
  it.each(FIXTURES.map(({ name, bytes }) => ({ name, bytes })))(
    '$name comes back byte for byte',
    async ({ bytes }) => {
      const result = await repaired(headZeroed(bytes, 8))
      expect(result.report.verdict).toBe('repaired')
      expect(result.bytes).toEqual(bytes)
      expect(result.report.pictures[0]).toMatchObject({
        width: 96,
        height: 64,
        lost: 0,
        rebuilt: [{ part: 'header', from: 'file' }],
      })
    },
  )

  it.each(FIXTURES.map(({ name, bytes }) => ({ name, bytes })))(
    '$name, cut away, comes back with every pointer right',
    async ({ bytes }) => {
      const result = await repaired(headCut(bytes, 8))
      expect(result.bytes).toEqual(bytes)
      expect(doubts(result.report)).toEqual(['metadata'])
    },
  )
})

describe('a tile whose coding breaks off', () => {
  it('is put together anew from what can be read, and the others stay where they are', async () => {
    const bytes = fixture('deflate-tiles')
    const before = firstImage(bytes)
    const [, hit] = before.units
    const damaged = Uint8Array.from(bytes)
    damaged.fill(0xff, hit.offset + 300, hit.offset + 340)
    const result = await repaired(damaged)
    expect(result.report.verdict).toBe('partial')
    expect(doubts(result.report)).toEqual(['areas-lost'])
    expect(result.report.pictures[0]).toMatchObject({ lost: 1, recovered: before.units.length - 1 })
    const after = firstImage(result.bytes)
    expect(after.units[0]).toEqual(before.units[0])
    expect(after.units[1].offset).toBeGreaterThanOrEqual(bytes.length)
    const [area] = result.report.pictures[0].areas
    expect(area.y).toBeGreaterThanOrEqual(hit.y)
    expect(area.y + area.height).toBe(hit.y + hit.height)
  })
})

describe('a file that breaks off', () => {
  it('is as long as its pointers ask for, and says which rows are gone', async () => {
    const bytes = fixture('strips')
    const { report, bytes: back } = await repaired(truncated(bytes, 0.5))
    expect(back.length).toBe(bytes.length)
    expect(report.verdict).toBe('partial')
    expect(doubts(report)).toEqual(['areas-lost'])
    const [{ areas }] = report.pictures
    expect(areas.at(-1)).toMatchObject({ x: 0, width: 96, state: 'lost' })
    expect(areas.reduce((rows, { height }) => rows + height, 0)).toBeGreaterThan(20)
  })

  it('within the lengths of its tiles lost nothing to zeros', async () => {
    const bytes = fixture('deflate-tiles')
    const { offsets, counts } = firstImage(bytes)
    if (!counts) throw new Error('no lengths')
    expect(counts.valueAt).toBeGreaterThan(offsets.valueAt)
    const { report } = await repaired(bytes.subarray(0, counts.valueAt + 1))
    expect(report.findings.map(({ code }) => code)).not.toContain('tiff.places-lost')
  })

  it('is not made longer for a tile that a flipped bit puts far behind everything', async () => {
    const whole = fixture('deflate-tiles')
    const { offsets, units } = firstImage(whole)
    const bytes = Uint8Array.from(whole)
    new DataView(bytes.buffer).setUint32(offsets.valueAt + 4, units[1].offset | (1 << 22), true)
    const { report, bytes: back } = await repaired(bytes)
    expect(back.length).toBeLessThan(2 * whole.length)
    expect(report.verdict).toBe('partial')
    expect(report.pictures[0].areas).toMatchObject([{ y: units[1].y, state: 'lost' }])
  })

  it('without its directories is not repairable', async () => {
    const { report, bytes } = await repaired(headZeroed(fixture('strips'), 2_048))
    expect(report.verdict).toBe('unrepairable')
    expect(bytes.length).toBe(0)
  })
})

describe('a file whose head is lost with its directories', () => {
  it('takes them from a sample of the same camera, and does not call the result repaired', async () => {
    const bytes = fixture('strips')
    const start = firstImage(bytes).units[0].offset
    const { report, bytes: back } = await repaired(headZeroed(bytes, start), bytes)
    expect(back.subarray(start)).toEqual(bytes.subarray(start))
    expect(firstImage(back).units).toEqual(firstImage(bytes).units)
    expect(doubts(report)).toEqual(['metadata'])
    expect(report.sample?.used).toEqual(['header and directories'])
  })
})

describe('zeros that a file begins with', () => {
  it.each(FIXTURES.map(({ name, bytes }) => ({ name, bytes })))(
    'of $name that go on into its pixels: some of these are gone',
    async ({ bytes }) => {
      const [first] = firstImage(bytes).units
      const to = first.offset + 200
      const { report } = await repaired(headZeroed(bytes, to))
      expect(report.verdict).not.toBe('repaired')
      if (report.verdict === 'partial' && report.pictures[0].lost > 0)
        expect(report.pictures[0].areas.length).toBeGreaterThan(0)
    },
  )
})
