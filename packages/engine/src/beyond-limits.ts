import type { Diagnosis, RecordingOutcome } from './formats/format.ts'
import { LimitError } from './model/errors.ts'

const REASON =
  'The file seems to hold more pictures, pieces of sound or tracks than a recording of its length can have.'

/**
 * A recording's repair, whose limits are in proportion to its bytes: more units or tracks than these are none, and nothing can be made of
 * such a file.
 */
export async function repairWithinLimits(repair: Promise<RecordingOutcome>): Promise<RecordingOutcome> {
  try {
    return await repair
  } catch (error) {
    return {
      ...{ verdict: 'unrepairable', reason: REASON, tracks: [], strategies: [], sampleUsed: [] },
      ...foundBy(error),
    }
  }
}

/** The same of a recording's diagnosis. */
export async function diagnoseWithinLimits(diagnosis: Promise<Diagnosis>): Promise<Diagnosis> {
  try {
    return await diagnosis
  } catch (error) {
    return { healthy: false, sample: 'unneeded', tracks: [], ...foundBy(error) }
  }
}

/** The finding that a met limit is. @throws any other error. */
function foundBy(error: unknown): Pick<Diagnosis, 'findings' | 'omittedFindings'> {
  if (!(error instanceof LimitError)) throw error
  return {
    findings: [{ code: 'file.beyond-limits', severity: 'error', message: error.message }],
    omittedFindings: 0,
  }
}
