import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { box } from '../../../testing/adversaries/bytes.ts'
import { noise } from '../../../testing/hostile-sources.ts'
import { opusTrack } from '../../../testing/recordings/tracks.ts'
import { writeRecording } from '../../../testing/recordings/write-recording.ts'
import { repaired } from './support/engine.ts'

/** Bytes of a frame of speech at 12.2 kbit/s with its header, and that header. */
const FRAME = 32
const HEADER = 0x3c
const FRAMES = 300

it('speech alone is in doubt where the sample has pictures, too: other bytes may pass for it', async () => {
  const speech = noise(FRAMES * FRAME, 3)
  for (let at = 0; at < speech.length; at += FRAME) {
    speech[at] = HEADER
    speech[at + FRAME - 1] &= 0xf0
  }
  const sample = readFileSync(
    new URL('../../../testing/fixtures/isobmff/3gp-mpeg4-amr.sample.3gp', import.meta.url),
  )
  const report = await repair({
    damaged: { name: 'damaged.3gp', source: new MemorySource(box('mdat', speech)) },
    sample: { name: 'sample.3gp', source: new MemorySource(new Uint8Array(sample)) },
    sink: new MemorySink(),
  })
  expect(report).toMatchObject({
    verdict: 'partial',
    doubts: [{ code: 'missing' }],
    tracks: [{ codec: 'amr', recovered: FRAMES }],
  })
})

it('Opus alone without its index is in doubt: nothing tells where one packet ends and the next begins', async () => {
  const silence = (packets: number): Uint8Array => {
    const track = opusTrack(packets, 3, 1)
    const bytes = Uint8Array.of(0xf4, 0xff, 0xfe)
    return writeRecording([{ ...track, units: track.units.map((unit) => ({ ...unit, bytes })) }])
  }
  const { report } = await repaired(indexZeroed(silence(1000)), silence(1000))
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toContain('ends')
})
