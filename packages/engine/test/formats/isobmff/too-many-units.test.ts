import { expect, it } from 'vitest'
import { limitsFor } from '../../../src/bytes/limits.ts'
import { MemorySink, MemorySource, repair } from '../../../src/index.ts'
import { smallRecording } from '../../../testing/index.ts'

/** Units of one track that a recording may have here: more than the sample's, fewer than the damaged one's. */
const SAMPLES = 120

it('bytes in which more units begin than a recording of their length can have are answered: they are none', async () => {
  const damaged = withoutIndex(smallRecording('h264-opus', 160, 1))
  const sample = smallRecording('h264-opus', 24, 2)
  const sink = new MemorySink()
  const file = (bytes: Uint8Array) => ({ source: new MemorySource(bytes), name: 'film.mp4' })
  const { verdict, reason } = await repair({
    damaged: file(damaged),
    sample: file(sample),
    limits: { ...limitsFor(damaged.length + sample.length), samplesPerTrack: SAMPLES },
    sink,
  })
  expect(verdict).toBe('unrepairable')
  expect(reason).toContain('more pictures or pieces of sound')
  expect(sink.position).toBe(0)
})

function withoutIndex(recording: Uint8Array): Uint8Array {
  const view = new DataView(recording.buffer, recording.byteOffset, recording.byteLength)
  for (let at = 0; ; at += view.getUint32(at))
    if (view.getUint32(at + 4) === MOOV)
      return Uint8Array.from(recording).fill(0, at, at + view.getUint32(at))
}

const MOOV = 0x6d6f6f76
