import type { Monitor } from '../model/monitor.ts'
import type { ByteReader } from './reader.ts'
import type { Region } from './regions.ts'

const PIECE = 1024 * 1024
const MOST_RUNS = 1_000

/** Stretches of at least `least` zeros in [from, to), in file order; reads it once. */
export async function zeroRuns(
  reader: ByteReader,
  from: number,
  to: number,
  least: number,
  monitor: Monitor,
): Promise<readonly Region[]> {
  const runs: Region[] = []
  const end = Math.min(to, reader.size)
  let start = -1
  const close = (at: number): void => {
    if (start >= 0 && at - start >= least && runs.length < MOST_RUNS)
      runs.push({ offset: start, length: at - start })
    start = -1
  }
  for (let at = from; at < end; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE, end - at))
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== 0) close(at + i)
      else if (start < 0) start = at + i
    }
    await monitor.pause()
  }
  close(end)
  return runs
}
