import { MemorySink } from '../../src/bytes/sink.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { repair } from '../../src/engine.ts'
import type { RepairOptions } from '../../src/formats/format.ts'
import type { RecordingReport } from '../../src/model/report.ts'

/** What became of a damaged recording, and the codes of its doubts and findings. */
export interface RepairedRecording {
  readonly report: RecordingReport
  readonly bytes: Uint8Array
  readonly doubts: readonly string[]
  readonly findings: readonly string[]
}

/** Repairs a recording with every format there is; `extension` without its dot. */
export async function repairRecording(
  damaged: Uint8Array,
  extension: string,
  sample?: Uint8Array,
  options: Partial<RepairOptions> = {},
): Promise<RepairedRecording> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: `damaged.${extension}` },
    ...(sample ? { sample: { source: new MemorySource(sample), name: `sample.${extension}` } } : {}),
    sink,
    options,
  })
  if (report.kind !== 'recording') throw new Error('the file was taken for a photo')
  return {
    report,
    bytes: sink.bytes().slice(),
    doubts: (report.doubts ?? []).map(({ code }) => code),
    findings: report.findings.map(({ code }) => code),
  }
}
