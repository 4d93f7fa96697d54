import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { imageOf, type TiffImage } from '../../../src/formats/tiff/read/image.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { readTiffHeader } from '../../../src/syntax/tiff-ifd/header.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const FIXTURES = fixturesOf(tiff)

function fixture(name: string): Uint8Array {
  const found = FIXTURES.find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found.bytes
}

async function repaired(
  damaged: Uint8Array,
  sample?: Uint8Array,
): Promise<{ report: PhotoReport; bytes: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: 'damaged.tif' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.tif' } } : {}),
    sink,
  })
  if (report.kind !== 'photo') throw new Error('the file was taken for a recording')
  return { report, bytes: sink.bytes().slice() }
}

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
