import { describe, expect, it } from 'vitest'
import type { Sequence } from '../../../src/codecs/mpeg12/headers.ts'
import { B_PICTURE, P_PICTURE } from '../../../src/codecs/mpeg12/headers.ts'
import { repeatedPicture } from '../../../src/codecs/mpeg12/repeated-picture.ts'
import { writeSequenceHead } from '../../../src/codecs/mpeg12/sequence-head.ts'
import { SliceReader } from '../../../src/codecs/mpeg12/slice-reading.ts'

const END = [0, 0, 1, 0xb7]
const sequenceOf = (width: number, height: number): Sequence => ({
  ...{ width, height, frameRateCode: 3, bitRate: 0, mpeg1: true, progressive: true, chromaFormat: 1 },
})

describe('a picture that repeats another', () => {
  it.each([
    [16, 16],
    [32, 48],
    [720, 576],
    [1920, 1088],
    [2000, 16],
  ])('is whole to the last bit of every slice at %i by %i', (width, height) => {
    for (const type of [P_PICTURE, B_PICTURE] as const) {
      const picture = repeatedPicture(sequenceOf(width, height), type, 1_029)
      const stream = Uint8Array.of(...writeSequenceHead(width, height, 3), ...picture, ...END)
      const { whole, torn } = new SliceReader().read(stream)
      expect(torn).toBe(0)
      expect(whole).toBe(picture.length - (type === P_PICTURE ? 9 : 9))
    }
  })

  it('has the number it is given, and what MPEG-2 says of a picture', () => {
    const sequence = { ...sequenceOf(32, 32), mpeg1: false, progressive: false }
    const picture = repeatedPicture(sequence, B_PICTURE, 1_024 + 5)
    expect((picture[4] << 2) | (picture[5] >> 6)).toBe(5)
    expect((picture[5] >> 3) & 7).toBe(B_PICTURE)
    const extension = picture.indexOf(0xb5)
    expect([...picture.subarray(extension, extension + 6)]).toEqual([0xb5, 0x81, 0x11, 0x13, 0x41, 0x80])
  })
})
