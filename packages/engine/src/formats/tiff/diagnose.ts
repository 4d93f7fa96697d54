import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import { placedFrom, readerFrom } from '../../photo/behind-foreign.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'
import { leadingData } from './findings.ts'
import { findStart } from './read/start.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const start = findStart(file.reader)
  const reader = start === 0 ? file.reader : readerFrom(file.reader, start)
  const { findings, images, healthy, numbers } = await assess(reader, limits, monitor)
  return {
    findings: start === 0 ? findings.list : [leadingData(start), ...placedFrom(start, findings.list)],
    omittedFindings: findings.omitted,
    healthy: healthy && start === 0,
    sample: numbers ? 'unneeded' : 'required',
    tracks: [],
    pictures: images.map(({ image }) => ({
      codec: `compression ${image.compression}`,
      width: image.width,
      height: image.height,
    })),
  }
}
