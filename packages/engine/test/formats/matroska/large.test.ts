import { expect, it } from 'vitest'
import { repair } from '../../../src/engine.ts'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { trackEntry } from '../../../src/formats/matroska/write/track-entry.ts'
import { element, float, unsigned } from '../../../src/syntax/ebml/write.ts'
import { ForetoldSink, LargeSource } from '../../../testing/large-file.ts'

const SECONDS = 180
const BLOCK_BYTES = 1 << 20

const TRACK = trackEntry(1, {
  ...{ kind: 'audio', codec: 'pcm', codecId: 'A_PCM/INT/LIT', sampleRate: 48_000, channels: 2, bitDepth: 16 },
} as never)

const HEAD = Uint8Array.from([
  ...element(ids.EBML, element(ids.DOC_TYPE, Uint8Array.from(Buffer.from('matroska')))),
  ...[0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  ...element(ids.INFO, unsigned(ids.TIMESTAMP_SCALE, 1_000_000), float(ids.DURATION, SECONDS * 1000)),
  ...element(ids.TRACKS, TRACK),
])

const sizeOf = (bytes: number): number[] => [
  0x10 | (bytes >> 24),
  bytes >> 16,
  (bytes >> 8) & 255,
  bytes & 255,
]

/** What stands in front of the sound of a second: a Cluster's head, and that of its only block. */
function clusterAt(second: number): Uint8Array {
  const time = unsigned(ids.TIMESTAMP, second * 1000, 4)
  const block = [ids.SIMPLE_BLOCK, ...sizeOf(BLOCK_BYTES), 0x81, 0, 0, 0x80]
  const size = time.length + 1 + 4 + BLOCK_BYTES
  return Uint8Array.from([0x1f, 0x43, 0xb6, 0x75, ...sizeOf(size), ...time, ...block])
}

it('the Clusters of a large file are told while it is walked, each once, and come to lie where they were told to', async () => {
  const pieceBytes = clusterAt(0).length - 4 + BLOCK_BYTES
  const source = new LargeSource(HEAD, { count: SECONDS, pieceBytes, missing: 1000 }, clusterAt)
  const sink = new ForetoldSink()
  let walked = 0
  const report = await repair({
    damaged: { source, name: 'large.mkv' },
    sink,
    formats: [matroska],
    monitor: {
      progress: (stage) => {
        if (stage === 'survey') walked = sink.told.length
      },
      pause: async () => {},
    },
  })
  expect(report.verdict).toBe('repaired')
  expect(sink.told).toEqual(sink.ordered)
  expect(sink.ordered.length).toBeGreaterThanOrEqual(SECONDS - 1)
  expect(walked).toBeGreaterThan(0)
})
