import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'
import { lastsOf } from './timeline.ts'

const NANOSECONDS = 1e9

/** Diagnoses a file: elements, blocks, index, sums. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, survey, paces, scale } = await assess(file.reader, limits, monitor)
  const { blocks } = survey
  const ends = new Map<number, number>()
  for (const { firstRow, endRow, time } of survey.runs)
    for (let row = firstRow; row < endRow; row++) {
      const end = (time ?? 0) + blocks.relative[row] + lastsOf(survey, paces, row)
      ends.set(blocks.track[row], Math.max(end, ends.get(blocks.track[row]) ?? 0))
    }
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: survey.tracksWhole ? 'unneeded' : survey.tracks.length > 0 ? 'helpful' : 'required',
    tracks: survey.tracks.map(({ number, description }) => ({
      id: number,
      kind: description.kind,
      codec: description.codec,
      duration: ((ends.get(number) ?? 0) * scale) / NANOSECONDS,
    })),
  }
}
