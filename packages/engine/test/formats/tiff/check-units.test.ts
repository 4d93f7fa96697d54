import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { type CheckedUnit, checkUnit, unpackedWithin } from '../../../src/formats/tiff/read/check-units.ts'
import { compressionOf } from '../../../src/formats/tiff/read/compression.ts'
import { imageOf } from '../../../src/formats/tiff/read/image.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

/** A strip of JPEG's first kind, whose first bytes are no start of image, with its tables elsewhere or none. */
function stateOf(tables: boolean): string | undefined {
  return stateOfStrip(new Uint8Array(50).fill(0x5a), 6, 16, tables ? [[519, 180]] : [])
}

/** What is found of a file's only strip. */
function stateOfStrip(
  strip: Uint8Array,
  compression: number,
  side: number,
  more: readonly (readonly [number, number])[] = [],
): string | undefined {
  return checkedStrip(strip, compression, side, more)?.state
}

/** A file's only strip, held against its bytes, the last `cut` of which are gone. */
function checkedStrip(
  strip: Uint8Array,
  compression: number,
  side: number,
  more: readonly (readonly [number, number])[] = [],
  cut = 0,
): CheckedUnit | undefined {
  const fields = [
    [256, side],
    [257, side],
    [259, compression],
    [273, 200],
    [278, side],
    [279, strip.length],
    ...more,
  ]
  const bytes = Buffer.alloc(250 + strip.length, 0x5a)
  bytes.set(strip, 200)
  bytes.writeUInt16LE(fields.length, 8)
  for (const [i, [tag, value]] of fields.entries()) {
    bytes.writeUInt16LE(tag, 10 + 12 * i)
    bytes.writeUInt16LE(4, 12 + 12 * i)
    bytes.writeUInt32LE(1, 14 + 12 * i)
    bytes.writeUInt32LE(value, 18 + 12 * i)
  }
  bytes.writeUInt32LE(0, 10 + 12 * fields.length)
  const numbers = new TiffNumbers(
    new ByteReader(new MemorySource(bytes.subarray(0, cut === 0 ? undefined : 200 + strip.length - cut))),
    true,
  )
  const ifd = readIfd(numbers, 8, false)
  const image = ifd && imageOf(numbers, ifd)
  return image && checkUnit(numbers, image, image.units[0], unpackedWithin(bytes.length))
}

it('a strip of JPEG begins as JPEG, unless its tables are told to stand elsewhere', () => {
  expect([stateOf(true), stateOf(false)]).toEqual(['whole', 'broken'])
})

it('a strip of JPEG is read through: zeros in it are damage', () => {
  const photo = writePhoto(drawPicture(64, 64, 3), { sampling: [2, 2], quality: 85, interval: 0 })
  for (const compression of [6, 7, 34892]) {
    expect(stateOfStrip(photo, compression, 64)).toBe('whole')
    const damaged = photo.slice().fill(0, photo.length - 600, photo.length - 200)
    expect(stateOfStrip(damaged, compression, 64)).toBe('broken')
  }
})

it('of a strip of fax code that is cut off, as many rows are there as bytes', () => {
  const packed = Uint8Array.from({ length: 600 }, (_, i) => (i * 37) & 0xff)
  const { state, rows } = checkedStrip(packed, 4, 60, [[262, 0]], 150) ?? {}
  expect([state, rows]).toEqual(['cut', 45])
})

it('of a strip of a sensor’s values too, in a code of its own, but of one whose beginning is of all rows', () => {
  const rowsOf = (compression: number) =>
    checkedStrip(new Uint8Array(600).fill(9), compression, 60, [[262, 32_803]], 150)?.rows
  expect([rowsOf(34713), rowsOf(34712)]).toEqual([45, 0])
})

it('a strip of fax code is read through, whichever bit of a byte is the first', () => {
  const stateOfRows = (order: number, ...rows: number[]) =>
    stateOfStrip(Uint8Array.from(rows), 2, 3, [
      [258, 1],
      [266, order],
    ])
  expect(stateOfRows(1, 0x80, 0x80, 0x80)).toBe('whole')
  expect(stateOfRows(2, 0x01, 0x01, 0x01)).toBe('whole')
  expect(stateOfRows(1, 0x80, 0x01, 0x80)).toBe('broken')
})

it('a tile of fax code is read in its full width, also where the picture ends within it', () => {
  const stateOfTile = (row: number) =>
    stateOfStrip(new Uint8Array(9).fill(row), 2, 9, [
      [258, 1],
      [322, 16],
      [323, 16],
    ])
  const [white16, white9] = [0xa8, 0xa0]
  expect([stateOfTile(white16), stateOfTile(white9)]).toEqual(['whole', 'broken'])
})

it('a strip of VC-5 without its bands is broken', () => {
  expect(stateOfStrip(Uint8Array.from([...Buffer.from('VC-5'), ...new Uint8Array(60)]), 9, 16)).toBe('broken')
})

it('a Deflate strip is held against its checksum, also where it has more rows than are shown', () => {
  const rows = Uint8Array.from({ length: 6_000 }, (_, i) => (i * i) % 251)
  const packed = Uint8Array.from(deflateSync(rows))
  const unpack = compressionOf(8)?.unpack
  expect(unpack?.(packed, 6_000).whole).toBe(true)
  expect(unpack?.(packed, 4_000).whole).toBe(true)
  const stored = Uint8Array.from(deflateSync(rows, { level: 0 }))
  stored[3_000] ^= 1
  expect(unpack?.(stored, 6_000).whole).toBe(false)
  expect(unpack?.(stored, 4_000).whole).toBe(false)
})
