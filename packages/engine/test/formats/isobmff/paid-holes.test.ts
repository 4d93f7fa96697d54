import { describe, expect, it } from 'vitest'
import { PaidHoles } from '../../../src/formats/isobmff/strategies/paid-holes.ts'
import type { CarvedTrack } from '../../../src/recovery/carve.ts'
import { lane, prior } from '../../recovery/lanes.ts'
import { readerOf } from './support/engine.ts'

const UNIT = 1000
const AT = 4 * UNIT

/** Pictures of `UNIT` bytes with a hole before the fifth, of which the track lost `units`. */
function track(length: number, units: number, estimated: boolean): CarvedTrack {
  const { description, table } = lane(0, 'video', 25)
  for (let row = 0; row < 8; row++)
    table.push(row < 4 ? row * UNIT : AT + length + (row - 4) * UNIT, UNIT, 1, 1, row, 0)
  const hole = { offset: AT, length, rows: [4] }
  const losses = [{ row: 4, seconds: units / 25, estimated, link: 'told' as const, hole }]
  const times = { startDelay: 0, compositionShift: 0, losses, estimated, untimed: false }
  return { description, table, times, prior: prior(1, 0) }
}

/** Whether a hole is paid for: bytes of content, of zeros and of content again. */
function paid(front: number, zeros: number, back: number, units: number, estimated: boolean): boolean {
  const length = front + zeros + back
  const bytes = new Uint8Array(AT + length + 4 * UNIT).fill(0x55)
  bytes.fill(0, AT + front, AT + front + zeros)
  return new PaidHoles(readerOf(bytes), [track(length, units, estimated)]).pays({ offset: AT, length })
}

describe('the bytes of a hole', () => {
  it('are the remains of lost units that a numbering counts, if they are no more', () => {
    expect(paid(900, 0, 0, 1, false)).toBe(true)
    expect(paid(900, 0, 0, 0, false)).toBe(false)
    expect(paid(1900, 0, 0, 1, false)).toBe(false)
    expect(paid(600, 4000, 600, 1, false)).toBe(false)
    expect(paid(600, 4000, 600, 2, false)).toBe(true)
  })

  it('are the remains of units whose loss is estimated, if there are zeros between the rest of one and the rest of another', () => {
    expect(paid(900, 600, 900, 1, true)).toBe(true)
    expect(paid(900, 600, 900, 0, true)).toBe(false)
    expect(paid(900, 0, 0, 1, true)).toBe(false)
    expect(paid(900, 300, 900, 3, true)).toBe(false)
    expect(paid(1100, 600, 0, 3, true)).toBe(false)
    expect(paid(0, 600, 1100, 3, true)).toBe(false)
  })
})
