import { expect, it } from 'vitest'
import { visibleSize } from '../../src/codecs/picture-sizes.ts'

const MACROBLOCK = 16

it.each([
  [1920, 1088, 1920, 1080],
  [640, 368, 640, 360],
  [368, 640, 360, 640],
  [432, 240, 426, 240],
  [1280, 720, 1280, 720],
  [640, 480, 640, 480],
  [1376, 1088, 1366, 1080],
  [208, 112, 208, 112],
])('pictures coded as %i by %i show %i by %i', (codedWidth, codedHeight, width, height) => {
  expect(visibleSize(codedWidth, codedHeight, MACROBLOCK)).toMatchObject({ width, height })
})

it('is a guess where nothing usual is coded so', () => {
  // of films of 720 by 404 and 720 by 416 the pictures have as many macroblocks
  expect(visibleSize(720, 416, MACROBLOCK).guessed).toBe(true)
  expect(visibleSize(1920, 1088, MACROBLOCK).guessed).toBe(false)
})
