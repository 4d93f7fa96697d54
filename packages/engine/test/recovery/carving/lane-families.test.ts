import { expect, it } from 'vitest'
import type { TrackDescription } from '../../../src/model/track.ts'
import { makeLanes } from '../../../src/recovery/carving/lane.ts'

const AAC: TrackDescription = {
  id: 1,
  kind: 'audio',
  codec: 'aac',
  timescale: 48_000,
  config: Uint8Array.of(0x11, 0x90),
  framing: 'raw',
}

it('tracks of one syntax are a family without being held against each other', () => {
  let compared = 0
  const { lanes, groups } = makeLanes(
    Array.from({ length: 60 }, (_, i) => ({ ...AAC, id: i + 1 })),
    16,
    () => {
      compared++
      return true
    },
  )
  expect(groups).toHaveLength(1)
  expect(groups[0].family).toEqual(lanes)
  expect(compared).toBe(0)
})
