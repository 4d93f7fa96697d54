import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, picture, brief, healthy } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: picture || brief ? 'unneeded' : 'required',
    tracks: [],
    pictures: picture ? [{ codec: picture.codec, width: picture.width, height: picture.height }] : [],
  }
}
