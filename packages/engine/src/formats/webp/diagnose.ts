import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, pictures } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy: findings.healthy,
    sample: findings.has('webp.no-picture') ? 'helpful' : 'unneeded',
    tracks: [],
    pictures: pictures
      .flatMap(({ check }) => (check ? [check] : []))
      .slice(0, limits.tracks)
      .map(({ width, height }) => ({ codec: 'WebP', width, height })),
  }
}
