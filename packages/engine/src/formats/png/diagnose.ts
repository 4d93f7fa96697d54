import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'
import { PALETTE } from './read/header.ts'

export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { findings, healthy, header, palette, frames } = await assess(file.reader, limits, monitor)
  const helpful = !header?.told || (header.header.colour === PALETTE && !palette)
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy,
    sample: helpful ? 'helpful' : 'unneeded',
    tracks: [],
    pictures: frames
      .slice(0, limits.tracks)
      .map(({ frame: { width, height } }) => ({ codec: 'PNG', width, height })),
  }
}
