import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, placed } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: !placed || placed.paletteLost ? 'helpful' : 'unneeded',
    tracks: [],
    pictures: placed ? [{ codec: 'BMP', width: placed.info.width, height: placed.info.height }] : [],
  }
}
