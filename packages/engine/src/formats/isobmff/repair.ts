import type { ByteSink } from '../../bytes/sink.ts'
import type { RepairJob, RepairOutcome } from '../format.ts'

export async function repair(_job: RepairJob, _sink: ByteSink): Promise<RepairOutcome> {
  return {
    verdict: 'unrepairable',
    findings: [],
    omittedFindings: 0,
    strategies: [],
    tracks: [],
    sampleUsed: [],
    reason: 'Repair of this family is being built.',
  }
}
