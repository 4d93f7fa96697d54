import { expect, it } from 'vitest'
import { analyse } from '../../../src/formats/jpeg/analyse.ts'
import { refusalOf } from '../../../src/formats/jpeg/mend/mend-picture.ts'
import { readPicture } from '../../../src/formats/jpeg/read/read-picture.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

/** What refuses a photo of a size and of so many blocks of brightness, across and down, for each of colour. */
function refusal(width: number, height: number, sampling: readonly [number, number]) {
  const picture = readPicture(writePhoto(drawPicture(64, 64, 8), { sampling, quality: 90, interval: 0 }), 0)
  return picture && refusalOf({ ...picture, frame: { ...picture.frame, width, height } })
}

it('the photos of the largest cameras of phones are worked on, whatever columns their colour lacks', () => {
  expect(refusal(12_000, 9_000, [2, 2])).toBeUndefined()
  expect(refusal(12_000, 9_000, [2, 1])).toBeUndefined()
  expect(refusal(9_000, 8_000, [1, 1])).toBeUndefined()
})

it('a photo is refused whose coefficients take more memory than a repair has, or that has too many pixels', () => {
  expect(refusal(12_000, 9_000, [1, 1])).toBe('too-large')
  expect(refusal(11_000, 11_000, [2, 1])).toBe('too-large')
  expect(refusal(12_000, 12_000, [2, 2])).toBe('too-large')
})

it('a header that lost its quantisation tables is refused, too, before memory is taken for the size that it claims', () => {
  const photo = writePhoto(drawPicture(64, 64, 8), { sampling: [1, 1], quality: 90, interval: 0 })
  const placeOf = (marker: number) => photo.findIndex((byte, i) => byte === 0xff && photo[i + 1] === marker)
  photo.set([0xff, 0xdc, 0xff, 0xdc], placeOf(0xc0) + 5)
  const tables = placeOf(0xdb)
  photo.fill(0, tables, tables + 2 + photo[tables + 2] * 256 + photo[tables + 3])
  const { reason, parts } = analyse(photo, undefined)
  expect([reason, parts]).toEqual(['The picture is larger than can be repaired.', []])
})
