import type { Allowance } from '../../../../model/allowance.ts'
import type { Findings } from '../../../../model/finding.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import { RunBuilder } from '../../boxes/stts.ts'
import { tableMended } from '../../findings.ts'
import { mendCompositions } from '../times/compositions.ts'

/** Distinct offsets, as a share of the samples, beyond which there is no usual one. */
const FEW = 0.1

/**
 * Mends flipped bits in the composition offsets that fragments gave the samples of a track.
 * @param hit the fragments were found to be hit elsewhere
 * @returns whether some could have been mended otherwise as well
 */
export function mendFragmentCompositions(
  track: number,
  samples: SampleTable,
  hit: boolean,
  findings: Findings,
  work: Allowance,
): boolean {
  if (!hit && !hasStranger(samples)) return false
  const offsets = new RunBuilder()
  const durations = new RunBuilder()
  for (let row = 0; row < samples.length; row++) {
    offsets.add(samples.cts[row])
    durations.add(samples.duration[row])
  }
  const mended = mendCompositions(offsets, durations, samples.length, true, work)
  if (!mended) return false
  let row = 0
  for (let run = 0; run < mended.runs.length; run++) {
    for (let i = 0; i < mended.runs.counts[run]; i++, row++) {
      const is = mended.runs.values[run]
      if (samples.cts[row] !== is) findings.add(tableMended(track, 'trun', samples.cts[row], is))
      samples.cts[row] = is
    }
  }
  return mended.guessed
}

/** Among few offsets that recur there is one that does not. */
function hasStranger({ cts, length }: SampleTable): boolean {
  const counts = new Map<number, number>()
  for (let row = 0; row < length; row++) {
    counts.set(cts[row], (counts.get(cts[row]) ?? 0) + 1)
    if (counts.size > Math.max(8, length * FEW)) return false
  }
  return [...counts.values()].some((count) => count === 1)
}
