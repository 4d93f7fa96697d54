import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, images, healthy, numbers } = await assess(file.reader, limits, monitor)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: numbers ? 'unneeded' : 'required',
    tracks: [],
    pictures: images.map(({ image }) => ({
      codec: `compression ${image.compression}`,
      width: image.width,
      height: image.height,
    })),
  }
}
