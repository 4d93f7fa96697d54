import { KEY } from '../read/block-table.ts'
import type { Run, Survey } from '../read/survey.ts'

/** Ticks by which rounding puts Clusters off. */
const ROUNDING = 2

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
