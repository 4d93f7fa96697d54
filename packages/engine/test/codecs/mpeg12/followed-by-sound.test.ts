import { expect, it } from 'vitest'
import { mpeg1video } from '../../../src/codecs/mpeg12/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { readerOf, recogniserFor } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

it('a picture of MPEG-1 ends where its slices do, although sound behind it looks like the start of another', () => {
  const fixture = streamFixture('mpeg1-b')
  const recogniser = recogniserFor(mpeg1video, fixture, 'raw')
  // quiet sound of 16 bits passes for slices here and there
  const sound = Array.from({ length: 400 }, (_, i) => [0, 0, 1, 1 + (i % 60), 3, 0, 254, 255]).flat()
  const unit = new Unit()
  for (const { offset, size } of fixture.packets) {
    const bytes = Uint8Array.from([...fixture.bytes.subarray(offset, offset + size), ...sound])
    expect(recogniser.recognise(readerOf(bytes), 0, bytes.length, unit)).toBe(true)
    expect(unit.length).toBe(size)
    expect(unit.damaged).toBe(false)
    unit.length = size
    recogniser.accept(readerOf(bytes), 0, unit)
  }
})
