import { expect, it } from 'vitest'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { LossEvidence } from '../../src/photo/placing/losses.ts'
import { placesFor } from '../../src/photo/placing/place-range.ts'
import { Room } from '../../src/photo/placing/room.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'

/** Places tried of the second of two pieces of so many MCUs in a picture of four million. */
function places(count: number): number[] {
  const layout = new McuLayout(16_000, 16_000, [{ id: 1, h: 1, v: 1, table: 0 }])
  const pieceOf = (first: number): Piece => {
    const sections = [{ first, count, known: first === 0 }]
    return { first, count, sections, startBit: 0, endBit: 0, step: 1, phase: 0, broken: true, flush: true }
  }
  const pieces = [pieceOf(0), pieceOf(count)]
  const { mcuCount } = layout
  const losses = new LossEvidence(pieces, new Uint32Array(2 * count), 100, mcuCount, undefined)
  const room = new Room(pieces, mcuCount, true)
  return placesFor(1, count, { layout, pieces, complete: true, room, losses })
}

it('few MCUs are not tried all over the large picture that a header claims, nor are many without end', () => {
  const few = places(50)
  // the scan's end is there: where the last piece stands by it is tried whatever the bound
  expect(few.length).toBe(2000 + 16 * 100 + 1)
  expect([few[0], few.at(-1)]).toEqual([0, 4_000_000 - 50])
  expect(places(5000).length).toBe(60_001)
})
