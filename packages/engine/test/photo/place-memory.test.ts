import { afterEach, expect, it, vi } from 'vitest'
import { Edges } from '../../src/photo/placing/edges.ts'
import { Placer } from '../../src/photo/placing/place.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

/** Bits of each MCU. */
const BITS = 100
/** Ways followed side by side, and what else is made of a number for each MCU. */
const WAYS = 24
const OTHERS = 4

afterEach(() => {
  vi.unstubAllGlobals()
})

it('ways of placing pieces are no more arrays than there are ways at once, however many pieces there are', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(160, 192, 8), { sampling: [1, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation, coefficients } = photo
  const { mcuWide, mcuCount } = layout
  const pieces = Array.from({ length: mcuCount / mcuWide / 2 }, (_, index): Piece => {
    const [first, count] = [index * 2 * mcuWide, mcuWide]
    const sections = [{ first, count, known: index === 0 }]
    const [startBit, endBit] = [BITS * first, BITS * (first + count)]
    return { first, count, sections, startBit, endBit, step: 1, phase: 0, broken: true, flush: false }
  })
  const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
  const starts = Uint32Array.from({ length: mcuCount }, (_, mcu) => BITS * mcu)
  let made = 0
  class Counted extends Int32Array {
    constructor(length: number) {
      super(length)
      made += length
    }
  }
  vi.stubGlobal('Int32Array', Counted)
  const reference = undefined
  const about = { coefficients, edges, layout, pieces, starts, quantisation, reference }
  const { places } = new Placer({ ...about, usualBits: BITS, complete: false }).place()
  expect(places).toHaveLength(pieces.length)
  expect(pieces.length).toBeGreaterThan(10)
  expect(made).toBeLessThanOrEqual((WAYS + OTHERS) * mcuCount)
})
