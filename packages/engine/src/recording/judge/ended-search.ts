import type { Allowance } from '../../model/allowance.ts'
import { DOUBT, type Doubt, distinctDoubts } from '../../model/doubt.ts'
import type { Finding } from '../../model/finding.ts'
import type { Verdict } from '../../model/report.ts'

interface Judged {
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  readonly doubts?: readonly Doubt[]
  readonly reason?: string
}

/** That the searches of a file came to an end before all was looked at. */
export const SEARCH_ENDED: Finding = {
  code: 'file.search-ended',
  severity: 'warning',
  message: 'the searches took the steps that a file of this length may take, and ended early',
}

/** The outcome of a repair, in doubt where its searches ended early: `work` is what they could take. Nothing is healthy then. */
export function doubtingEndedSearch<Outcome extends Judged>(outcome: Outcome, work: Allowance): Outcome {
  if (!work.spent) return outcome
  const findings = [...outcome.findings, SEARCH_ENDED]
  if (outcome.verdict === 'unrepairable') return { ...outcome, findings }
  if (outcome.verdict === 'healthy')
    return { ...outcome, findings, verdict: 'unrepairable', reason: DOUBT.searchEnded.message }
  const doubts = distinctDoubts([...(outcome.doubts ?? []), DOUBT.searchEnded])
  return { ...outcome, findings, verdict: 'partial', doubts }
}
