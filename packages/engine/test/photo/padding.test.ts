import { expect, it } from 'vitest'
import { withoutPadding } from '../../src/photo/frame/padding.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BLUR = 0.6

function sizeIn({ layout, coefficients, quantisation: [steps] }: PhotoCoefficients): {
  width: number
  height: number
} {
  return withoutPadding({ layout, coefficients, steps, estimated: false })
}

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
  return sizeIn(photo)
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
  return sizeIn(photo)
}

it('what is no picture at all beyond a size of common proportions is padding', () => {
  expect(sizeBeside(336, 256, 252, true)).toEqual({ width: 336, height: 252 })
  expect(sizeBeside(256, 336, 252, false)).toEqual({ width: 252, height: 336 })
  expect(sizeBeside(336, 272, 268, true)).toEqual({ width: 336, height: 272 })
})

/** Which of the first `real` samples of a block one behind them mirrors: by halves. */
function mirrorOf(at: number, real: number): number {
  if (at < real) return at
  return mirrorOf((at < 2 ? 1 : at < 4 ? 3 : 7) - at, real)
}

/** How an encoder makes a sample behind the last one. */
type Filling = (size: number, at: number) => number | 'black' | 'grey'

const FILLINGS: readonly (readonly [string, Filling])[] = [
  ['repeats the last samples', (size) => size - 1],
  [
    'mirrors the samples of the last block',
    (size, at) => mirrorOf(at % 8, size % 8) + 8 * Math.floor(at / 8),
  ],
  ['is black', () => 'black'],
  [
    'repeats the last samples to the block, and is grey beyond',
    (size, at) => (at < 8 * Math.ceil(size / 8) ? size - 1 : 'grey'),
  ],
]

/** The size found for a picture in whose last MCUs `fill` follows it, where nothing told its size but the number of MCUs. */
function sizeFilled(
  width: number,
  height: number,
  sampling: readonly [number, number],
  fill: Filling,
): { width: number; height: number } {
  const [wide, high] = [
    8 * sampling[0] * Math.ceil(width / 8 / sampling[0]),
    8 * sampling[1] * Math.ceil(height / 8 / sampling[1]),
  ]
  const drawn = drawPicture(wide, high, 21)
  const random = randomFrom(21)
  for (let i = 0; i < drawn.pixels.length; i++)
    drawn.pixels[i] = Math.max(20, Math.min(235, drawn.pixels[i] + Math.floor(31 * random()) - 15))
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const [fromX, fromY] = [x < width ? x : fill(width, x), y < height ? y : fill(height, y)]
      for (let i = 0; i < 3; i++) {
        const at = 3 * (y * wide + x) + i
        if (fromX === 'grey' || fromY === 'grey') drawn.pixels[at] = 128
        else if (fromX === 'black' || fromY === 'black') drawn.pixels[at] = 0
        else drawn.pixels[at] = drawn.pixels[3 * (fromY * wide + fromX) + i]
      }
    }
  const photo = readPhoto(writePhoto(drawn, { sampling, quality: 85, interval: 0 }))
  if (!photo) throw new Error('no photo')
  return sizeIn(photo)
}

it.each(FILLINGS)('what fills up the last MCUs is no picture where it %s', (_, fill) => {
  for (const [width, height] of [
    [301, 206],
    [309, 195],
    [316, 221],
  ])
    expect(sizeFilled(width, height, [1, 1], fill)).toEqual({ width, height })
})

it.each([FILLINGS[0], FILLINGS[3]])('that is so in MCUs of four blocks, too, where it %s', (_, fill) => {
  for (const [width, height] of [
    [301, 206],
    [298, 195],
    [313, 221],
  ])
    expect(sizeFilled(width, height, [2, 2], fill)).toEqual({ width, height })
})

it('blocks that have only the level of those before them are no picture', () => {
  const drawn = drawPicture(301, 197, 21)
  const photo = readPhoto(writePhoto(drawn, { sampling: [2, 2], quality: 85, interval: 0 }))
  if (!photo) throw new Error('no photo')
  const { layout, coefficients } = photo
  const [luminance] = layout.components
  const level = (column: number, row: number, from: number): void => {
    const at = layout.blockOffset(luminance, column, row)
    coefficients.fill(0, at, at + 64)
    coefficients[at] = coefficients[from]
  }
  const below = luminance.blocksHigh
  for (let column = 0; column < 2 * layout.mcuWide; column++)
    level(column, below, layout.blockOffset(luminance, column | 1, below - 1))
  expect(sizeIn(photo)).toEqual({
    width: 301,
    height: 197,
  })
})
