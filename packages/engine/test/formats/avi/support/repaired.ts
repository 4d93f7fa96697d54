import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySink } from '../../../../src/bytes/sink.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { repair } from '../../../../src/engine.ts'
import { avi } from '../../../../src/formats/avi/index.ts'
import { type AviFile, readFile } from '../../../../src/formats/avi/read/file.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import type { RecordingReport } from '../../../../src/model/report.ts'

export interface Repaired {
  readonly report: RecordingReport
  readonly bytes: Uint8Array
}

export async function repaired(bytes: Uint8Array, sample?: Uint8Array): Promise<Repaired> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'film.avi' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.avi' } } : {}),
    sink,
    formats: [avi],
  })
  if (report.kind !== 'recording') throw new Error('a recording came out as something else')
  return { report, bytes: sink.bytes() }
}

export function read(bytes: Uint8Array): Promise<AviFile> {
  return readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
}

/** The payloads of a stream's chunks in order, as text. */
export async function payloads(bytes: Uint8Array, stream: number): Promise<string[]> {
  const { chunks } = (await read(bytes)).walk
  return Array.from({ length: chunks.length }, (_, row) => row)
    .filter((row) => chunks.stream[row] === stream)
    .map((row) =>
      Buffer.from(bytes).toString('latin1', chunks.offset[row], chunks.offset[row] + chunks.size[row]),
    )
}
