import { expect, it } from 'vitest'
import { isUnframed } from '../../../src/recovery/unframed/unframed-tracks.ts'
import { lane } from '../lanes.ts'

/** A lane of a codec; without a recogniser where its configuration is none. */
function laneOf(index: number, kind: 'video' | 'audio', codec: string, readable = true) {
  const made = lane(index, kind, 48_000)
  return {
    ...made,
    description: { ...made.description, codec },
    recogniser: readable ? made.recogniser : undefined,
  }
}

it('tracks are read together where packets of one have no length and units of all can be recognised', () => {
  const pictures = laneOf(0, 'video', 'vp9')
  expect(isUnframed([pictures, laneOf(1, 'audio', 'alac')])).toBe(true)
  expect(isUnframed([pictures, laneOf(1, 'audio', 'alac', false)])).toBe(false)
  expect(isUnframed([laneOf(0, 'video', 'h264'), laneOf(1, 'audio', 'aac')])).toBe(false)
})
