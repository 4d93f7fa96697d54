import { describe, expect, it } from 'vitest'
import { Edges } from '../../src/photo/edges.ts'
import { LossEvidence } from '../../src/photo/losses.ts'
import type { Piece } from '../../src/photo/pieces.ts'
import { PlaceEvidence } from '../../src/photo/place-evidence.ts'
import { Room } from '../../src/photo/room.ts'
import { SeamEvidence } from '../../src/photo/seam-evidence.ts'
import { firstWay, WayReader } from '../../src/photo/way.ts'
import { WrapEvidence } from '../../src/photo/wrap-evidence.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

describe('rows that were lost above a piece', () => {
  it('are hardly told by its seam where an edge of the picture lies along it', () => {
    const photo = readPhoto(
      writePhoto(drawPicture(1_280, 800, 8), { sampling: [1, 1], quality: 92, interval: 0 }),
    )
    if (!photo) throw new Error('the drawn photo cannot be read')
    const { layout, quantisation, coefficients } = photo
    const { mcuWide, mcuCount } = layout
    const [stop, next] = [20 * mcuWide, 24 * mcuWide]
    const pieceOf = (first: number, count: number): Piece => {
      const sections = [{ first, count, known: first === 0 }]
      return { first, count, sections, startBit: 0, endBit: 0, step: 1, phase: 0, broken: true, flush: false }
    }
    const pieces = [pieceOf(0, stop), pieceOf(next, mcuCount - next)]
    const edges = new Edges(coefficients, mcuCount, layout, quantisation[0])
    const losses = new LossEvidence(pieces, new Uint32Array(mcuCount), 100, mcuCount, undefined)
    const seams = new SeamEvidence(edges, pieces, mcuWide)
    // MCUs fit badly side by side, and as well as any across lost rows
    seams.add = (_below, _above, _offset, rows, sums) => {
      sums.near -= 1
      sums.apart += rows > 1 ? 1 : -1
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
    const source = firstWay(mcuCount).source.map((_, at) => (at < stop ? at : -1))
    const way = { ...firstWay(mcuCount), source, places: [0], margins: [0], offsets: [0], end: stop, last: 0 }
    const seam = (place: number): number => evidence.of(way, 1, place, 1) - losses.of(1, place - stop)
    expect(seam(next)).toBeGreaterThan(seam(stop))
    expect(seam(next)).toBeLessThan(seam(stop) + 15)
  })
})
