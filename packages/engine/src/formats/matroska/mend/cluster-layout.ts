import { type BlockTable, KEY } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'

/** Ticks by which rounding puts Clusters off. */
const ROUNDING = 2
/** Blocks of a track at either end of a run that are looked at: pictures are reordered within fewer. */
export const EDGE = 24

/** The sizes of key pictures that Clusters begin with, smallest first. */
export function keyBytesOf({ runs, blocks }: Survey): Float64Array {
  return Float64Array.from(
    runs.filter(({ headed, firstRow, endRow }) => headed && endRow > firstRow && blocks.is(firstRow, KEY)),
    ({ firstRow }) => blocks.size[firstRow],
  ).sort()
}

/** How many Clusters have a header and blocks. */
export function headedIn({ runs }: Survey): number {
  return runs.filter(({ headed, firstRow, endRow }) => headed && endRow > firstRow).length
}

/** The ticks between Clusters, 0 where they are not always the same. */
export function clusterDistance(runs: readonly Pick<Run, 'headed' | 'time'>[]): number {
  const times = runs.flatMap(({ headed, time }) => (headed && time !== undefined ? [time] : []))
  const distances = times.slice(1).map((time, i) => time - times[i])
  const [least] = [...distances].sort((a, b) => a - b)
  if (least === undefined || least <= 0) return 0
  // a lost one makes twice the distance
  const even = distances.every(
    (distance) => Math.abs(distance - Math.round(distance / least) * least) <= ROUNDING * 2,
  )
  return even ? least : 0
}

/** Bytes a tick, over all runs whose time is known. */
export function byteRate({ blocks, runs }: Survey): number {
  let bytes = 0
  let ticks = 0
  for (const { firstRow, endRow } of runs) {
    if (endRow <= firstRow) continue
    let least = blocks.relative[firstRow]
    let most = least
    for (let row = firstRow; row < endRow; row++) {
      if (!(row === firstRow && blocks.is(row, KEY))) bytes += blocks.size[row]
      least = Math.min(least, blocks.relative[row])
      most = Math.max(most, blocks.relative[row])
    }
    ticks += most - least
  }
  return Math.max(bytes / Math.max(1, ticks), 1e-3)
}

/** The earliest time of a track near the start of a run, or its latest near the end, after the run's own. */
export function edgeOf(blocks: BlockTable, run: Run, track: number, first: boolean): number | undefined {
  let found: number | undefined
  let seen = 0
  const step = first ? 1 : -1
  for (
    let row = first ? run.firstRow : run.endRow - 1;
    row >= run.firstRow && row < run.endRow && seen < EDGE;
    row += step
  ) {
    if (blocks.track[row] !== track) continue
    seen++
    const time = blocks.relative[row]
    if (found === undefined || (first ? time < found : time > found)) found = time
  }
  return found
}
