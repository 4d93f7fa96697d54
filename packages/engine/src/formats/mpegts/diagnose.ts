import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import { secondsOf } from '../../recording/stamped-track.ts'
import { CLOCK } from '../../syntax/pes/time-stamp.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { nothingFound, survey } from './survey.ts'

/** Diagnoses a transport stream: every packet, every PES packet's header, the tables. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const found = await survey(file.reader, limits, monitor)
  const findings = found?.findings ?? nothingFound(limits)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy: found?.healthy ?? false,
    sample: 'unneeded',
    tracks: (found?.tracks ?? []).map(({ stream, nature }) => ({
      id: stream.pid,
      ...nature,
      duration: stream.table ? secondsOf(stream.table, CLOCK) : 0,
    })),
  }
}
