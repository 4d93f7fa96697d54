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
  expect(visibleSize(codedWidth, codedHeight, MACROBLOCK)).toEqual({ width, height })
})
