import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import type { Splice } from '../../bytes/splice.ts'
import type { Doubt } from '../../model/doubt.ts'
import type { Finding, Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { PictureReport } from '../../model/photo.ts'
import { largestJpeg, storedJpegs } from './stored-jpegs.ts'

/** A raw photo put together again. */
export interface MendedRaw {
  readonly splice: Splice
  readonly picture: PictureReport
  readonly doubts: readonly Doubt[]
  readonly strategy: { readonly name: string; readonly outcome: string }
  readonly sampleUsed: readonly string[]
}

/** What a format's repair says of a raw photo. */
export interface RawOutcome {
  readonly verdict: 'repaired' | 'partial' | 'healthy' | 'unrepairable'
  readonly findings: readonly Finding[]
  readonly omittedFindings: number
  readonly strategies: readonly { readonly name: string; readonly outcome: string }[]
  readonly sampleUsed: readonly string[]
  readonly pictures: readonly PictureReport[]
  readonly doubts?: readonly Doubt[]
  readonly reason?: string
  readonly instead?: Region
}

/** Of a photo with nothing wrong. */
export function healthyRaw(findings: Findings, picture: PictureReport): RawOutcome {
  return { ...base(findings), verdict: 'healthy', pictures: [picture] }
}

/** A result is at most so many times as long as the damaged file: of what is longer, next to nothing survives. */
const GROWTH = 8
const TOO_LITTLE = `Less than one part in ${GROWTH} of the photo survives.`

/**
 * Writes a raw photo that was put together again; of one that would be filler for the most part, the largest stored picture may
 * do.
 */
export async function mendedRaw(
  reader: ByteReader,
  findings: Findings,
  { splice, picture, doubts, strategy, sampleUsed }: MendedRaw,
  sink: ByteSink,
  monitor: Monitor,
): Promise<RawOutcome> {
  if (splice.size > GROWTH * reader.size) return lostRaw(reader, findings, TOO_LITTLE, monitor)
  await splice.write(reader, sink, monitor)
  const verdict = doubts.length === 0 ? 'repaired' : 'partial'
  return { ...base(findings), verdict, pictures: [picture], doubts, strategies: [strategy], sampleUsed }
}

/** Of a photo whose raw picture cannot be brought back: the largest picture that was stored with it may be. */
export async function lostRaw(
  reader: ByteReader,
  findings: Findings,
  reason: string,
  monitor: Monitor,
): Promise<RawOutcome> {
  const instead = largestJpeg(await storedJpegs(reader, 0, reader.size, monitor))
  return {
    ...base(findings),
    ...{ verdict: 'unrepairable', pictures: [], reason },
    ...(instead ? { instead: { offset: instead.offset, length: instead.length } } : {}),
  }
}

function base(
  findings: Findings,
): Pick<RawOutcome, 'findings' | 'omittedFindings' | 'strategies' | 'sampleUsed'> {
  return { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
}
