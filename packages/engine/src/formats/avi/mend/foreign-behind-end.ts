import type { ByteReader } from '../../../bytes/reader.ts'
import type { Decoder } from '../../../model/decoder.ts'
import type { Finding, Findings } from '../../../model/finding.ts'
import { isSilent } from '../../../recording/judge/silent.ts'
import { CHUNK_HEADER } from '../../../syntax/riff/chunk.ts'

const FOREIGN = 'avi.foreign-bytes'
/** Findings that bytes behind the end of a file make, and nothing else. */
const MADE: ReadonlySet<string> = new Set([FOREIGN, 'avi.size-wrong'])

/**
 * The findings as warnings, where nothing is amiss but bytes behind the place where the file says that it ends, as what a longer
 * file left in the same place, and all plays in silence: players never look at them. Undefined where anything else is, or nobody
 * can tell.
 */
export async function foreignBehindEnd(
  reader: ByteReader,
  findings: Findings,
  decoder: Decoder | undefined,
): Promise<readonly Finding[] | undefined> {
  if (!decoder || !findings.healthyBut(MADE)) return undefined
  const end = CHUNK_HEADER + reader.u32le(4)
  const isBehind = findings.list.some(({ code, offset }) => code === FOREIGN && offset === end)
  if (!isBehind) return undefined
  const decoded = await decoder.decodeDamaged()
  if (!decoded.checked || !isSilent(decoded)) return undefined
  return findings.list.map((finding) =>
    MADE.has(finding.code) ? { ...finding, severity: 'warning' } : finding,
  )
}
