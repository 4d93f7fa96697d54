import { ByteReader } from '../bytes/reader.ts'
import type { ByteSink } from '../bytes/sink.ts'
import { Splice } from '../bytes/splice.ts'
import { WindowSource } from '../bytes/window-source.ts'
import type { PhotoOutcome, RepairJob } from '../formats/format.ts'
import type { Finding } from '../model/finding.ts'

/** What begins at an offset of a file, as a file of its own. */
export function readerFrom({ source }: ByteReader, start: number): ByteReader {
  return new ByteReader(new WindowSource(source, start, source.size - start))
}

/** Findings of what begins at `start`, in places of the whole file. */
export function placedFrom(start: number, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => (each.offset === undefined ? each : { ...each, offset: start + each.offset }))
}

/** Repairs a photo that begins at `start`: foreign bytes, of which `leading` tells, stand in front of it and are left out. */
export async function repairBehindForeign(
  job: RepairJob,
  sink: ByteSink,
  start: number,
  leading: Finding,
  repair: (job: RepairJob, sink: ByteSink) => Promise<PhotoOutcome>,
): Promise<PhotoOutcome> {
  const reader = readerFrom(job.damaged.reader, start)
  const outcome = await repair({ ...job, damaged: { ...job.damaged, reader } }, sink)
  const { instead } = outcome
  const placed = {
    ...outcome,
    findings: [leading, ...placedFrom(start, outcome.findings)],
    ...(instead ? { instead: { ...instead, offset: start + instead.offset } } : {}),
  }
  if (outcome.verdict !== 'healthy') return placed
  const whole = new Splice()
  whole.copy(0, reader.size)
  await whole.write(reader, sink, job.monitor)
  return { ...placed, verdict: 'repaired' }
}
