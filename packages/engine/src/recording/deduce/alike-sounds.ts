import type { SampleTable } from '../../model/sample-table.ts'
import { dealRuns, dealtTable, soundRuns, stepOf } from '../../recovery/telling-apart/sound-runs.ts'
import type { Rate } from './candidates.ts'
import { tally } from './clock.ts'
import type { Trial } from './trial.ts'

/** Share by which sound may be more or less than tracks of a rate make of it. */
const AS_MUCH = 0.06
/** Runs that tell where nothing says how often pictures come. */
const RUNS_WITHOUT_RATE = 24

/**
 * The units of a trial's track `sound` as those of several tracks that take turns, where runs of it between pictures show that,
 * and pictures at the rate that the bitstream says come with as much sound at one of `rates` (Hz); undefined where it is one
 * track's.
 */
export function alikeSounds(
  { draft, carved }: Trial,
  picture: number,
  sound: number,
  said: Rate | undefined,
  rates: readonly number[],
): SampleTable[] | undefined {
  const tables = carved.tracks.map(({ table }) => table)
  const others = tables.filter((_, i) => i !== picture && i !== sound)
  const runs = soundRuns([tables[picture], ...others], [tables[sound]])
  const step = stepOf(runs)
  if (!step || step.most === 1) return undefined
  const { unit } = draft.tracks[sound]
  if (said) {
    const counted = tally(tables[picture], tables[sound], carved.holes)
    const hertz = (counted.sounds * unit * said.num) / (counted.pictures * said.den)
    const isAsMuch = rates.some((rate) => Math.abs(hertz / rate / step.most - 1) < AS_MUCH)
    if (!counted.level || !isAsMuch) return undefined
  } else if (!step.sure || runs.length < RUNS_WITHOUT_RATE) return undefined
  return dealRuns(runs, step.most).map((units) => dealtTable(units, unit))
}
