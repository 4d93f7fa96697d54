import type { Decoder } from '../../../model/decoder.ts'
import type { Finding, Findings } from '../../../model/finding.ts'
import { isSilent } from '../../../recording/judge/silent.ts'

/** Findings of a sum that does not hold where everything else does. */
const SUMS: ReadonlySet<string> = new Set(['matroska.cluster-altered', 'matroska.element-altered'])

/**
 * The findings as warnings, where nothing is amiss but sums, as of a file that was edited by a program that knows none, and all
 * plays in silence: nothing could be put right in it. Undefined where anything else is amiss, or nobody can tell.
 */
export async function onlySumsAltered(
  findings: Findings,
  decoder: Decoder | undefined,
): Promise<readonly Finding[] | undefined> {
  if (!decoder || findings.healthy || !findings.healthyBut(SUMS)) return undefined
  const decoded = await decoder.decodeDamaged()
  if (!decoded.checked || !isSilent(decoded)) return undefined
  return findings.list.map((finding) =>
    SUMS.has(finding.code) ? { ...finding, severity: 'warning' } : finding,
  )
}
