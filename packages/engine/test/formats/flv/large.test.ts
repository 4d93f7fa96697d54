import { expect, it } from 'vitest'
import { repair } from '../../../src/engine.ts'
import { flv } from '../../../src/formats/flv/index.ts'
import { ForetoldSink, LargeSource } from '../../../testing/large-file.ts'

const MILLISECONDS_A_TAG = 370
const TAGS = 2600
const TAG_BYTES = 1 << 16
const HEAD = Uint8Array.of(0x46, 0x4c, 0x56, 1, 4, 0, 0, 0, 9)

/** The size of the tag in front, and what stands in front of a tag's plain sound of 16 bits, 44.1 kHz, two channels. */
function tagAt(index: number): Uint8Array {
  const before = index === 0 ? 0 : TAG_BYTES + 11
  const time = index * MILLISECONDS_A_TAG
  return Uint8Array.of(
    ...[0, before >> 16, (before >> 8) & 255, before & 255],
    ...[8, TAG_BYTES >> 16, (TAG_BYTES >> 8) & 255, TAG_BYTES & 255],
    ...[(time >> 16) & 255, (time >> 8) & 255, time & 255, 0, 0, 0, 0, 0x3f],
  )
}

it('the tags of a large file are told while it is walked, and come to lie where they were told to', async () => {
  const pieceBytes = 4 + 11 + TAG_BYTES
  const source = new LargeSource(HEAD, { count: TAGS, pieceBytes, missing: 1000 }, tagAt)
  const sink = new ForetoldSink()
  let walked = 0
  const report = await repair({
    damaged: { source, name: 'large.flv' },
    sink,
    formats: [flv],
    monitor: {
      progress: (stage) => {
        if (stage === 'survey') walked = sink.told.length
      },
      pause: async () => {},
    },
  })
  expect(report.verdict).toBe('repaired')
  // the walk tells in steps of megabytes
  expect(sink.foretold(walked)).toBeGreaterThan(source.size * 0.8)
})
