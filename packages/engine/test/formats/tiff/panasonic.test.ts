import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { imageOf } from '../../../src/formats/tiff/read/image.ts'
import { readIfd } from '../../../src/syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../src/syntax/tiff-ifd/numbers.ts'

/** A directory as Panasonic's cameras write it: sizes under tags of their own, the length of the values unpacked. */
function directory(fields: readonly (readonly [number, number])[]): Uint8Array {
  const bytes = new Uint8Array(1_000)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, fields.length, true)
  for (const [i, [tag, value]] of fields.entries()) {
    view.setUint16(2 + 12 * i, tag, true)
    view.setUint16(4 + 12 * i, 4, true)
    view.setUint32(6 + 12 * i, 1, true)
    view.setUint32(10 + 12 * i, value, true)
  }
  return bytes
}

it('a raw photo of Panasonic is as long as its blocks of 14 pixels', () => {
  const numbers = new TiffNumbers(
    new ByteReader(
      new MemorySource(
        directory([
          [2, 28],
          [3, 10],
          [11, 34_316],
          [0x111, 0xffff_ffff],
          [0x117, 28 * 10 * 2],
          [0x118, 400],
        ]),
      ),
    ),
    true,
  )
  const ifd = readIfd(numbers, 0, false)
  const image = ifd && imageOf(numbers, ifd)
  expect(image).toMatchObject({ width: 28, height: 10, compression: 34_316 })
  expect(image?.units).toMatchObject([{ offset: 400, bytes: 20 * 16 }])
})
