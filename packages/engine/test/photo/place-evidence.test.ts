import { describe, expect, it } from 'vitest'
import { Edges } from '../../src/photo/placing/edges.ts'
import { LossEvidence } from '../../src/photo/placing/losses.ts'
import { PlaceEvidence } from '../../src/photo/placing/place-evidence.ts'
import { Room } from '../../src/photo/placing/room.ts'
import { SeamEvidence } from '../../src/photo/placing/seam-evidence.ts'
import { firstWay, WayReader } from '../../src/photo/placing/way.ts'
import { WrapEvidence } from '../../src/photo/placing/wrap-evidence.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

describe('a seam with rows that may be lost', () => {
  const photo = readPhoto(
    writePhoto(drawPicture(1_280, 800, 8), { sampling: [1, 1], quality: 92, interval: 0 }),
  )
  if (!photo) throw new Error('the drawn photo cannot be read')
  const { layout, quantisation, coefficients } = photo
  const { mcuWide, mcuCount } = layout
  const [stop, next] = [20 * mcuWide, 24 * mcuWide]

  /**
   * What the seam of a piece says for it to stand at a place, where all MCUs in their column fit as touching ones do by `near`,
   * as others by 0.
   */
  function said(near: number): (place: number) => number {
    const pieceOf = (first: number, count: number): Piece => {
      const sections = [{ first, count, known: first === 0 }]
      return { first, count, sections, startBit: 0, endBit: 0, step: 1, phase: 0, broken: true, flush: false }
    }
    const pieces = [pieceOf(0, stop), pieceOf(next, mcuCount - next)]
    const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
    const losses = new LossEvidence(pieces, new Uint32Array(mcuCount), 100, mcuCount, undefined)
    const seams = new SeamEvidence(edges, pieces, mcuWide)
    seams.add = (below, above, _offset, rows, sums) => {
      const right = below % mcuWide === above % mcuWide
      sums.forEach((sum, i) => {
        const touching = i === sums.length - 1 ? rows === 1 : i === 0
        sums[i] = sum + (right ? 1 + (touching ? near : 0) : -1)
      })
    }
    const evidence = new PlaceEvidence({
      layout,
      pieces,
      reader: new WayReader(edges, layout, pieces),
      room: new Room(pieces, mcuCount, false),
      seams,
      wraps: new WrapEvidence(coefficients, layout, quantisation),
      losses,
      reference: undefined,
    })
    const source = firstWay(mcuCount, 1).source.map((_, at) => (at < stop ? at : -1))
    const way = { ...firstWay(mcuCount, 1), source, end: stop, last: 0 }
    return (place) => evidence.of(way, 1, place, 1) - losses.of(1, place - stop)
  }

  it.each([
    ['an edge of the picture lies along it', -3],
    ['the picture is even across it', 0.9],
  ])('hardly tells whether they are where %s', (_, near) => {
    const seam = said(near)
    expect(Math.abs(seam(next) - seam(stop))).toBeLessThan(5)
  })

  it('tells the column by all of its MCUs even if an edge of the picture lies along it', () => {
    const seam = said(-3)
    expect(seam(stop)).toBeGreaterThan(seam(stop + 5) + 50)
  })

  it('is not as good where MCUs in front that were read give way to it', () => {
    const seam = said(0)
    expect(seam(stop)).toBeGreaterThan(seam(stop - mcuWide) + 0.2 * mcuWide)
  })
})
