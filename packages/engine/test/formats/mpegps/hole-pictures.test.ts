import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { pictureStarts } from '../../../src/formats/mpegps/read/hole-pictures.ts'

/** The header of an intra picture of number 2 with its extension, and the start code of a slice. */
const HEADER = [0, 0, 1, 0, 0, 0x8f, 0xff, 0xf8, 0, 0, 1, 0xb5, 0x8f, 0xff, 0xf3, 0x41, 0x80, 0, 0, 1, 1]

it.each([6, 11, 12, 17, 21])(
  'a picture of whose header %i bytes are in the packet begins there',
  (length) => {
    const bytes = Uint8Array.from(HEADER)
    const reader = new ByteReader(new MemorySource(bytes.subarray(0, length)))
    const behind = bytes.subarray(length)
    expect(pictureStarts(reader, 'mpeg2video', 0, length, behind)).toMatchObject({
      start: 0,
      count: 1,
      reference: 2,
    })
  },
)

it('a header that what follows does not continue is none', () => {
  const reader = new ByteReader(new MemorySource(Uint8Array.from(HEADER.slice(0, 12))))
  expect(pictureStarts(reader, 'mpeg2video', 0, 12, new Uint8Array(64))).toBeUndefined()
})
