import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import { secondsOf } from '../../recording/stamped-track.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { numberOf, survey } from './survey.ts'

/** Diagnoses a program stream: every pack, every packet's header. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, streams, headless } = await survey(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: headless.some(({ own }) => !own) ? 'helpful' : 'unneeded',
    tracks: streams.map((stream) => ({
      id: numberOf(stream),
      kind: stream.kind,
      codec: stream.codec || 'unknown',
      duration: secondsOf(stream.table, CLOCK),
    })),
  }
}
