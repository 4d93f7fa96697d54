import type { Limits } from '../../bytes/limits.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { Diagnosis, InputFile } from '../format.ts'
import { assess } from './assess.ts'
import { NO_TIME } from './read/chunk-table.ts'
import { secondsOf } from './read/clock.ts'

/** Says what is wrong with a file. Never throws for damage. */
export async function diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis> {
  const { file: avi, findings } = await assess(file.reader, limits, monitor)
  const streams = avi.header?.streams ?? []
  const seconds = streams.map(() => 0)
  const { chunks } = avi.walk
  for (let row = 0; row < chunks.length; row++) {
    const stream = streams[chunks.stream[row]]
    if (stream && !(chunks.flags[row] & NO_TIME))
      seconds[chunks.stream[row]] += secondsOf(stream, chunks.size[row])
  }
  return {
    findings: findings.list,
    omittedFindings: findings.omitted,
    healthy: findings.healthy && chunks.length > 0,
    sample: streams.length > 0 ? 'unneeded' : 'helpful',
    tracks: streams.map(({ description: { id, kind, codec } }, index) => ({
      id,
      kind,
      codec,
      duration: seconds[index],
    })),
  }
}
