import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

/** Diagnoses a file: header, every packet and payload, index. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, objects, span, header } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: header.streams.length > 0 ? 'unneeded' : 'required',
    tracks: objects.map(({ stream }) => ({
      id: stream.number,
      kind: stream.kind,
      codec: stream.codec,
      duration: (span.end - span.first) / 1000,
    })),
  }
}
