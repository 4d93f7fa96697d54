import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'
import { VIDEO } from './read/tag-table.ts'

/** Diagnoses a file: every tag, its times, what its metadata state. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, streams, length } = await assess(file.reader, limits, monitor)
  const bare = streams.length === 0 || streams.some(({ header, configured }) => !configured && !header)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: bare ? 'helpful' : 'unneeded',
    tracks: streams.map(({ kind, codec }, i) => ({
      id: i + 1,
      kind: kind === VIDEO ? 'video' : 'audio',
      codec,
      duration: length.seconds,
    })),
  }
}
