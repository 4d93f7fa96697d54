import type { SampleTable } from '../../../model/sample-table.ts'

/** The commonest duration of samples that are one unit each; 0 for others. */
export function usualDuration({ length, count, duration }: SampleTable): number {
  const counts = new Map<number, number>()
  for (let row = 0; row < length; row++) {
    if (count[row] !== 1) return 0
    counts.set(duration[row], (counts.get(duration[row]) ?? 0) + 1)
  }
  let usual = 0
  for (const [ticks, times] of counts) if (times > (counts.get(usual) ?? 0)) usual = ticks
  return usual
}
