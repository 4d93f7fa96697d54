import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, head, images } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy: findings.healthy,
    sample: head.screen && head.table ? 'unneeded' : 'helpful',
    tracks: [],
    pictures: images
      .slice(0, limits.tracks)
      .map(({ descriptor: { width, height } }) => ({ codec: 'GIF', width, height })),
  }
}
