import { expect, it } from 'vitest'
import { codecNamed } from '../../../src/codecs/index.ts'
import { Unit } from '../../../src/codecs/recogniser.ts'
import { MemorySource, repair } from '../../../src/index.ts'
import { PAYLOAD_ADVERSARIES } from '../../../testing/adversaries/payload-adversaries.ts'
import { readerOf, trackOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'

/** Header byte of a frame OBU with its size; as a size it is 50. */
const FRAME = 0x32

it('a file of one byte, again and again, holds no pictures though it reads as frames with their sizes', async () => {
  const hostile = PAYLOAD_ADVERSARIES.find(({ name }) => name === `nothing but ${FRAME} (av1-opus)`)
  const { damaged, sample } = hostile?.make(20_000) ?? {}
  if (!damaged || !sample) throw new Error('no such input')
  const file = (bytes: Uint8Array) => ({ source: new MemorySource(bytes), name: 'film.mp4' })
  const sink = { position: 0, write: () => {} }
  const report = await repair({ damaged: file(damaged), sample: file(sample), sink })
  expect(report.verdict).toBe('unrepairable')
})

it('bytes of a picture right behind themselves are no further picture', () => {
  const fixture = streamFixture('av1')
  const recogniser = codecNamed('av1')?.recogniser(trackOf(fixture, 'raw'))
  const { packets } = fixture
  const [key, next] = packets.map(({ offset, size }) => fixture.bytes.subarray(offset, offset + size))
  const bytes = Uint8Array.from([...key, ...next, ...next])
  const reader = readerOf(bytes)
  const unit = new Unit()
  const take = (at: number): number => {
    if (!recogniser?.recognise(reader, at, bytes.length, unit)) return 0
    recogniser.accept(reader, at, unit)
    return unit.length
  }
  expect(take(0)).toBe(key.length)
  expect(take(key.length)).toBe(next.length)
  expect(take(key.length + next.length)).toBe(0)
})
