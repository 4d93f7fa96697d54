import { afterEach, describe, expect, it, vi } from 'vitest'
import { Edges } from '../../src/photo/placing/edges.ts'
import { SlipFinder } from '../../src/photo/placing/find-slips.ts'
import { Places } from '../../src/photo/placing/placed-pieces.ts'
import { Reference } from '../../src/photo/preview/reference.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

/** Rows by which a preview stands too low that was moved to what the first rows seem to show. */
const MOVED = 6
/** Bits of each MCU. */
const BITS = 100

describe('pieces whose preview may have been moved to what is only alike', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(1_280, 800, 8), { sampling: [1, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation, coefficients } = photo
  const { mcuWide, mcuCount } = layout
  // three pieces of few rows, each behind more lost ones than a seam sees through
  const starts = [0, 30 * mcuWide + 17, 60 * mcuWide + 71]
  const pieces = starts.map((first, index): Piece => {
    const count = 5 * mcuWide
    const sections = [{ first, count, known: index === 0 }]
    const [startBit, endBit] = [BITS * first, BITS * (first + count)]
    return { first, count, sections, startBit, endBit, step: 1, phase: 0, broken: true, flush: false }
  })
  const meansFrom = (row: number): Reference => {
    const planes = layout.components.map(({ firstBlock }, component) =>
      Float32Array.from({ length: mcuCount }, (_, at) => {
        const mcu = Math.max(0, Math.min(mcuCount - 1, at - row * mcuWide))
        return (coefficients[mcu * layout.mcuLength + firstBlock * 64] * quantisation[component][0]) / 8
      }),
    )
    return new Reference(coefficients, layout, quantisation, { planes, rowsOfSample: 0.2 })
  }
  const placedBy = (references: readonly Reference[]) =>
    new Places().of(pieces, pieces, references, {
      coefficients,
      edges: new Edges(coefficients, mcuCount, layout, quantisation[0]),
      layout,
      starts: Uint32Array.from({ length: mcuCount }, (_, mcu) => BITS * mcu),
      usualBits: BITS,
      complete: false,
      quantisation,
    })
  const placesBy = (references: readonly Reference[]) => placedBy(references).placed.places

  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('stand where that is likelier by which all of them agree better', () => {
    expect(placesBy([meansFrom(0)])).toEqual(starts)
    expect(placesBy([meansFrom(MOVED)])).not.toEqual(starts)
    expect(placesBy([meansFrom(MOVED), meansFrom(0)])).toEqual(starts)
  })

  it('are not cut at slips where they fit worse then', () => {
    const [first, second, third] = pieces
    const half = {
      ...second,
      count: second.count / 2,
      sections: [{ ...second.sections[0], count: second.count / 2 }],
    }
    vi.spyOn(SlipFinder.prototype, 'cut').mockReturnValue([first, half, third])
    expect(placedBy([meansFrom(0)]).pieces).toEqual(pieces)
  })
})
