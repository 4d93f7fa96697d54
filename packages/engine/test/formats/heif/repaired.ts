import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { Report } from '../../../src/model/report.ts'

/** What is said of a photo in memory, and what comes of it. */
export async function repaired(
  damaged: Uint8Array,
  extension = 'heic',
  sample?: Uint8Array,
): Promise<{ report: Report; bytes: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: `damaged.${extension}` },
    ...(sample ? { sample: { source: new MemorySource(sample), name: `sample.${extension}` } } : {}),
    sink,
  })
  return { report, bytes: sink.bytes().slice() }
}
