import type { Region } from '../../../../bytes/regions.ts'
import { Findings } from '../../../../model/finding.ts'
import { explainsAll } from '../../../../recording/judge/unexplained.ts'
import type { Strategies } from '../../../../recording/ways.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment } from '../../assess.ts'
import { type CarvedFile, carveFile, type Teacher } from '../carve-file.ts'
import { deduceTeacher } from '../deduce-file.ts'

/** Share of the payload that must stay unexplained before missing pictures are laid to the sample. */
const MOSTLY = 0.5

/** True when the recording that was learned from has pictures, and the result has none. */
export function showsNone(source: Teacher, { tracks }: Pick<CarvedFile, 'tracks'>): boolean {
  const shows = source.tracks.some(({ description }) => description.kind === 'video')
  return shows && !tracks.some(({ plan }) => plan.template.description.kind === 'video')
}

/** True when the sample has pictures, the result has none, and most of the payload is something else. */
export function missesPictures(source: Teacher, carved: CarvedFile, payload: readonly Region[]): boolean {
  const bytes = payload.reduce((sum, region) => sum + region.length, 0)
  return showsNone(source, carved) && carved.unexplained.bytes > bytes * MOSTLY
}

/** True when nothing was found of a track of pictures or sound that the sample has, and much of the payload is not explained. */
export function lacksTracks({ absent, unexplained }: CarvedFile, payload: readonly Region[]): boolean {
  return absent.some(({ kind }) => kind !== 'data') && !explainsAll(unexplained, payload)
}

/** What the payload tells of itself, where that finds more tracks in it than the sample did, and explains more of it. */
export async function tellsMore(
  job: RepairJob,
  assessment: Assessment,
  carved: CarvedFile,
  missed: boolean,
): Promise<{ teacher: Teacher; findings: Findings; strategies: Strategies } | undefined> {
  const findings = new Findings(job.limits.findings)
  const strategies: Strategies = []
  const teacher = await deduceTeacher(job, { ...assessment, findings }, strategies)
  const told = teacher && { teacher, findings, strategies }
  if (!told || missed) return told
  const other = await carveFile(job, assessment.reading.survey.payload, teacher, undefined)
  if (!other) return undefined
  const finds = other.tracks.length > carved.tracks.length
  return finds && other.unexplained.bytes < carved.unexplained.bytes ? told : undefined
}
