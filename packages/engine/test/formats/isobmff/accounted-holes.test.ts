import { describe, expect, it } from 'vitest'
import { AccountedHoles } from '../../../src/recording/judge/accounted-holes.ts'
import { BrokenOffUnits } from '../../../src/recording/judge/broken-off-unit.ts'
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
  const losses = [
    {
      row: 4,
      seconds: units / 25,
      estimated,
      numbered: false,
      uncertain: false,
      link: 'told' as const,
      hole,
    },
  ]
  const times = { startDelay: 0, compositionShift: 0, losses, estimated, untimed: false }
  return { description, table, times, prior: prior(1, 0) }
}

/** Content of so many bytes, zeros, and content again, between pictures. */
function holeOf(front: number, zeros: number, back: number): Uint8Array {
  const bytes = new Uint8Array(AT + front + zeros + back + 4 * UNIT).fill(0x55)
  return bytes.fill(0, AT + front, AT + front + zeros)
}

function accounted(reader: ReturnType<typeof readerOf>, tracks: readonly CarvedTrack[]): AccountedHoles {
  return new AccountedHoles(reader, tracks, new BrokenOffUnits(reader, tracks))
}

/** Whether such a hole is paid for. */
function paid(front: number, zeros: number, back: number, units: number, estimated: boolean): boolean {
  const length = front + zeros + back
  const holes = accounted(readerOf(holeOf(front, zeros, back)), [track(length, units, estimated)])
  return holes.accountsFor({ offset: AT, length })
}

/** Whether such a hole, of which tracks lost `units`, holds what nobody knows. */
function strange(front: number, zeros: number, back: number, units: number): boolean {
  const length = front + zeros + back
  const holes = accounted(readerOf(holeOf(front, zeros, back)), [track(length, units, false)])
  return holes.isStrange({ offset: AT, length })
}

describe('the bytes of a hole', () => {
  it('are the remains of lost units that a numbering counts, if they are no more', () => {
    expect(paid(900, 0, 0, 1, false)).toBe(true)
    expect(paid(900, 0, 0, 0, false)).toBe(false)
    expect(paid(1900, 0, 0, 1, false)).toBe(false)
    expect(paid(600, 4000, 600, 1, false)).toBe(false)
    expect(paid(600, 4000, 600, 2, false)).toBe(true)
    // part of a single unit is all that can stand before damage
    expect(paid(1500, 4000, 0, 3, false)).toBe(false)
  })

  it('are the remains of units whose loss is estimated, if there are zeros between the rest of one and the rest of another', () => {
    expect(paid(900, 600, 900, 1, true)).toBe(true)
    expect(paid(900, 600, 900, 0, true)).toBe(false)
    expect(paid(900, 0, 0, 1, true)).toBe(false)
    expect(paid(900, 300, 900, 3, true)).toBe(false)
    expect(paid(1100, 600, 0, 3, true)).toBe(false)
    expect(paid(0, 600, 1100, 3, true)).toBe(false)
  })

  it('are units of sound that were hit, where they are as many as are missing there and nothing else is', () => {
    const heard = (length: number, units: number, uncertain: boolean, pictures = 0): boolean => {
      const sound = track(length, units, true)
      const losses = sound.times.losses.map((loss) => ({ ...loss, uncertain }))
      const audio = { ...sound.description, kind: 'audio' as const, codec: 'aac' }
      const tracks = [
        { ...sound, description: audio, times: { ...sound.times, losses } },
        ...(pictures > 0 ? [track(length, pictures, true)] : []),
      ]
      return accounted(readerOf(holeOf(length, 0, 0)), tracks).accountsFor({ offset: AT, length })
    }
    expect(heard(UNIT, 1, false)).toBe(true)
    expect(heard(2 * UNIT, 2, false)).toBe(true)
    // bytes for more, or for less, and those of which the clocks do not tell how many they are
    expect(heard(2 * UNIT, 1, false)).toBe(false)
    expect(heard(UNIT - 20, 1, false)).toBe(false)
    expect(heard(UNIT, 1, true)).toBe(false)
    expect(heard(2 * UNIT, 1, false, 1)).toBe(false)
    expect(heard(5 * UNIT, 5, false)).toBe(false)
  })

  it('are those of a track that nobody knows where no other track lost anything', () => {
    expect(strange(20, 0, 0, 0)).toBe(true)
    expect(strange(20, 0, 0, 1)).toBe(false)
    expect(strange(20, 600, 20, 0)).toBe(false)
    expect(strange(0, 20, 0, 0)).toBe(false)
  })

  it('are what the writer left where the hole is none to the tracks', () => {
    const holes = accounted(readerOf(holeOf(20, 0, 0)), [track(20, 0, false)])
    expect(holes.isStrange({ offset: AT + UNIT, length: 20 })).toBe(false)
  })
})
