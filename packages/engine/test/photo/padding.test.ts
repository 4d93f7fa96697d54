import { expect, it } from 'vitest'
import { withoutPadding } from '../../src/photo/padding.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLUR = 0.6

/** The size found for a picture whose last two rows are blurred into the one above. */
function sizeOf(width: number, height: number): { width: number; height: number } {
  const drawn = drawPicture(width, height, 12)
  const random = randomFrom(12)
  const row = 3 * width
  for (let i = 0; i < drawn.pixels.length; i++)
    drawn.pixels[i] = Math.max(0, Math.min(255, drawn.pixels[i] + Math.floor(21 * random()) - 10))
  for (let i = (height - 2) * row; i < height * row; i++)
    drawn.pixels[i] = Math.round((1 - BLUR) * drawn.pixels[i] + BLUR * drawn.pixels[i - row])
  const photo = readPhoto(writePhoto(drawn, { sampling: [2, 2], quality: 95, interval: 0 }))
  if (!photo) throw new Error('no photo')
  return withoutPadding(photo.layout, photo.coefficients)
}

it('two rows that a lens blurred are no padding', () => {
  expect(sizeOf(320, 240)).toEqual({ width: 320, height: 240 })
  expect(sizeOf(320, 224)).toEqual({ width: 320, height: 224 })
})

/** The size found for a picture on whose right or below it something else stands from `from` on. */
function sizeBeside(
  width: number,
  height: number,
  from: number,
  down: boolean,
): { width: number; height: number } {
  const drawn = drawPicture(width, height, 12)
  const random = randomFrom(5)
  for (let i = 0; i < drawn.pixels.length; i++) {
    const pixel = Math.floor(i / 3)
    if ((down ? Math.floor(pixel / width) : pixel % width) >= from) drawn.pixels[i] = random() < 0.5 ? 0 : 255
  }
  const photo = readPhoto(writePhoto(drawn, { sampling: [2, 2], quality: 95, interval: 0 }))
  if (!photo) throw new Error('no photo')
  return withoutPadding(photo.layout, photo.coefficients)
}

it('what is no picture at all beyond a size of common proportions is padding', () => {
  expect(sizeBeside(336, 256, 252, true)).toEqual({ width: 336, height: 252 })
  expect(sizeBeside(256, 336, 252, false)).toEqual({ width: 252, height: 336 })
  expect(sizeBeside(336, 272, 268, true)).toEqual({ width: 336, height: 272 })
})
