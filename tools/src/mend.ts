import {
  type EngineFile,
  MemorySink,
  MemorySource,
  type RepairRequest,
  type Report,
  repair,
} from '@mendframe/engine'

/** A repair's report and its result: the same bytes where nothing was wrong, undefined where nothing could be made of them. */
export interface Mended {
  readonly report: Report
  readonly result: Buffer | undefined
}

/** Has the engine repair bytes in this process. `name` serves for its extension. */
export async function mend(
  bytes: Buffer,
  sample: Buffer | undefined,
  name: string,
  options: RepairRequest['options'] = {},
): Promise<Mended> {
  const file = (of: Buffer): EngineFile => ({ source: new MemorySource(of), name })
  const sink = new MemorySink()
  const like = sample ? { sample: file(sample) } : {}
  const report = await repair({ damaged: file(bytes), ...like, sink, options })
  if (report.verdict === 'unrepairable') return { report, result: undefined }
  return { report, result: report.verdict === 'healthy' ? bytes : Buffer.from(sink.bytes()) }
}
