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

it('two rows that a lens blurred are no padding where proportions are common with them', () => {
  expect(sizeOf(320, 240)).toEqual({ width: 320, height: 240 })
  expect(sizeOf(320, 224)).toEqual({ width: 320, height: 223 })
})
