import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { checkUnit, unpackedWithin } from '../../../src/formats/tiff/read/check-units.ts'
import { compressionOf } from '../../../src/formats/tiff/read/compression.ts'
import { imageOf } from '../../../src/formats/tiff/read/image.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'

/** A strip of JPEG's first kind, whose first bytes are no start of image, with its tables elsewhere or none. */
function stateOf(tables: boolean): string | undefined {
  const fields = [
    [256, 16],
    [257, 16],
    [259, 6],
    [273, 200],
    [278, 16],
    [279, 50],
    ...(tables ? [[519, 180]] : []),
  ]
  const bytes = Buffer.alloc(300, 0x5a)
  bytes.writeUInt16LE(fields.length, 8)
  for (const [i, [tag, value]] of fields.entries()) {
    bytes.writeUInt16LE(tag, 10 + 12 * i)
    bytes.writeUInt16LE(4, 12 + 12 * i)
    bytes.writeUInt32LE(1, 14 + 12 * i)
    bytes.writeUInt32LE(value, 18 + 12 * i)
  }
  bytes.writeUInt32LE(0, 10 + 12 * fields.length)
  const numbers = new TiffNumbers(new ByteReader(new MemorySource(bytes)), true)
  const ifd = readIfd(numbers, 8, false)
  const image = ifd && imageOf(numbers, ifd)
  return image && checkUnit(numbers, image, image.units[0], unpackedWithin(300)).state
}

it('a strip of JPEG begins as JPEG, unless its tables are told to stand elsewhere', () => {
  expect([stateOf(true), stateOf(false)]).toEqual(['whole', 'broken'])
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
