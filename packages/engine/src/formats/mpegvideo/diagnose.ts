import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { survey } from './survey.ts'
import { describe } from './track.ts'

/** Diagnoses bare pictures: every header, every slice to its last bit. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const found = await survey(file.reader, undefined, limits, monitor)
  const { about, duration } = describe(found)
  const lacks = found.lacking ? found.lacking.from !== 'file' : found.pictures.length === 0
  return {
    findings: found.findings.list,
    omittedFindings: found.findings.omitted,
    healthy: found.healthy,
    sample: lacks ? 'helpful' : 'unneeded',
    tracks: found.pictures.length > 0 ? [{ ...about, duration }] : [],
  }
}
