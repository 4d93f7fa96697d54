import { expect, it } from 'vitest'
import { h263 } from '../../../src/codecs/h263/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it('a picture that zeros cut off ends where they begin, and swallows none of them', () => {
  const fixture = streamFixture('h263')
  const { offset, size } = fixture.packets[0]
  const kept = size >> 1
  const torn = new Uint8Array(20_000)
  torn.set(fixture.bytes.subarray(offset, offset + kept))
  const unit = new Unit()
  const found = recogniserFor(h263, fixture, 'raw').recognise(readerOf(torn), 0, torn.length, unit)
  expect(found && unit.damaged).toBe(true)
  expect(unit.length).toBeGreaterThan(kept - 8)
  expect(unit.length).toBeLessThanOrEqual(kept)
})
