import { afterEach, describe, expect, it, vi } from 'vitest'
import type { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { Edges } from '../../src/photo/placing/edges.ts'
import { LossEvidence } from '../../src/photo/placing/losses.ts'
import { Placer } from '../../src/photo/placing/place.ts'
import { placesFor } from '../../src/photo/placing/place-range.ts'
import { Room } from '../../src/photo/placing/room.ts'
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
  vi.restoreAllMocks()
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

describe('places of thousands of pieces', () => {
  /** Pieces of one MCU each, whose counts note when they are asked for. */
  const countedPieces = (count: number, asked: () => void): Piece[] =>
    Array.from(
      { length: count },
      (_, first): Piece => ({
        first,
        get count() {
          asked()
          return 1
        },
        sections: [],
        startBit: BITS * first,
        endBit: BITS * (first + 1),
        step: 1,
        phase: 0,
        broken: false,
        flush: first === count - 1,
        omitted: 1,
      }),
    )

  it('are told without going through all of them for each', () => {
    let asked = 0
    const pieces = countedPieces(2000, () => asked++)
    const room = new Room(pieces, 5000, true)
    const starts = Uint32Array.from(pieces, (_, first) => BITS * first)
    const losses = new LossEvidence(pieces, starts, BITS, 5000, room.missing, () => 1)
    const layout = { mcuCount: 5000, mcuWide: 50 } as McuLayout
    const input = { layout, pieces, complete: true, room, losses }
    asked = 0
    const slices = vi.spyOn(Array.prototype, 'slice')
    for (let index = 0; index < pieces.length; index++) placesFor(index, 2 * index, input)
    const invented = pieces.map((_, index) => losses.inventedFrom(index))
    const chained = pieces.map((_, index) => room.chained(index))
    expect(asked).toBeLessThan(4 * pieces.length)
    expect(slices.mock.calls.length).toBeLessThan(4)
    expect([invented[0], invented[1], invented[1999]]).toEqual([1999, 1998, 0])
    expect([chained[0], chained[1999]]).toEqual([5000 - 2000 - 1999, 4999])
  })
})
