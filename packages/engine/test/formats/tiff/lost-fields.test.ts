import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { imageOf, type TiffImage } from '../../../src/formats/tiff/read/image.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { readTiffHeader } from '../../../src/syntax/tiff-ifd/header.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const FIXTURES = fixturesOf(tiff).map(({ name, bytes }): [string, Uint8Array] => [name, bytes])
const FIELD = 12

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairPhoto(damaged, 'tif', sample)

function firstImage(bytes: Uint8Array): TiffImage {
  const reader = new ByteReader(new MemorySource(bytes))
  const header = readTiffHeader(reader)
  const numbers = new TiffNumbers(reader, header?.little ?? true)
  const ifd = readIfd(numbers, header?.firstIfd ?? 0, header?.big ?? false)
  const image = ifd && imageOf(numbers, ifd)
  if (!image) throw new Error('no picture')
  return image
}

function zeroed(bytes: Uint8Array, at: number, length: number): Uint8Array {
  return bytes.slice().fill(0, at, at + length)
}

/** The bytes of each strip or tile. */
function unitsOf(bytes: Uint8Array): Uint8Array[] {
  return firstImage(bytes).units.map(({ offset, bytes: length }) => bytes.slice(offset, offset + length))
}

function codesOf({ findings }: PhotoReport): string[] {
  return findings.map(({ code }) => code)
}

describe.each(FIXTURES)('a file (%s) of which zeros overwrote', (_, file) => {
  const { offsets, counts, units } = firstImage(file)
  if (!counts) throw new Error('no lengths')

  it('where its strips or tiles lie comes back byte for byte', async () => {
    const { report, bytes } = await repaired(zeroed(file, offsets.valueAt, offsets.bytes))
    expect(codesOf(report)).toContain('tiff.places-lost')
    expect(report.verdict).toBe('repaired')
    expect(bytes).toEqual(file)
  })
  it('how long they are has them all', async () => {
    const { report, bytes } = await repaired(zeroed(file, counts.valueAt, counts.bytes))
    expect(report.verdict).toBe('repaired')
    for (const [i, unit] of unitsOf(bytes).entries())
      expect(unit.subarray(0, units[i].bytes)).toEqual(unitsOf(file)[i])
  })
  it('the field of how long they are has one again', async () => {
    const { report, bytes } = await repaired(zeroed(file, counts.at, FIELD))
    expect(codesOf(report)).toContain('tiff.fields-lost')
    expect(report.verdict).toBe('repaired')
    expect(firstImage(bytes).counts?.at).toBe(counts.at)
    expect(firstImage(bytes).units.map(({ offset }) => offset)).toEqual(units.map(({ offset }) => offset))
  })
  it('the field of where they lie comes back byte for byte', async () => {
    const { report, bytes } = await repaired(zeroed(file, offsets.at, FIELD))
    expect(codesOf(report)).toContain('tiff.fields-lost')
    expect(report.verdict).toBe('repaired')
    expect(bytes).toEqual(file)
  })
  it('all of a field but its tag is healthy where that is a writer’s own, which readers pass over', async () => {
    const at = firstImage(file).ifd.entries.get(274)?.at ?? 0
    const empty = zeroed(file, at + 2, FIELD - 2)
    expect((await repaired(empty)).report.verdict).not.toBe('healthy')
    empty.fill(0x81, at, at + 2)
    expect((await repaired(empty)).report.verdict).toBe('healthy')
  })
  it('some of its fields is told of it, and not repaired', async () => {
    const { report } = await repaired(zeroed(file, counts.at, 2 * FIELD))
    expect(codesOf(report)).toContain('tiff.fields-lost')
    expect(report.verdict).not.toBe('healthy')
    expect(report.verdict).not.toBe('repaired')
  })
})

describe.each(FIXTURES)('a file (%s) of whose directory zeros overwrote a part, with a sample', (_, file) => {
  const { ifd, width } = firstImage(file)
  const at = ifd.entries.get(256)?.at ?? 0

  it('has its fields again, and is not called repaired', async () => {
    for (const shift of [0, 7]) {
      const { report, bytes } = await repaired(zeroed(file, at + shift, 3 * FIELD), file)
      expect(report.verdict).toBe('partial')
      expect(report.sample?.used).toEqual(['fields of directories'])
      expect(firstImage(bytes).width).toBe(width)
      expect(bytes).toEqual(file)
    }
  })
  it('takes none where what is left tells all', async () => {
    const damaged = zeroed(file, ifd.entries.get(279)?.at ?? ifd.entries.get(325)?.at ?? 0, FIELD)
    expect((await repaired(damaged, file)).report.verdict).toBe('repaired')
  })
  it('of another size takes none', async () => {
    const other = file.slice()
    other[(ifd.entries.get(257)?.valueAt ?? 0) + (file[0] === 0x49 ? 0 : 1)] ^= 8
    const { report } = await repaired(zeroed(file, at, FIELD), other)
    expect(report.sample?.used ?? []).not.toContain('fields of directories')
  })
})
