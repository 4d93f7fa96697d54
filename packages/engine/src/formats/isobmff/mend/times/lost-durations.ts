import type { Allowance } from '../../../../model/allowance.ts'
import { RunBuilder } from '../../boxes/stts.ts'
import { type Runs, runTotal } from '../../boxes/tables.ts'
import type { TrackDraft } from '../../read/read-track.ts'
import { frameSeconds } from './sound-frames.ts'
import { sampleCount } from './track-length.ts'

/** What durations must be that no table tells any more. */
export interface FoundDurations {
  readonly runs: Runs
  /** Nothing but the length of all together tells them. */
  readonly guessed: boolean
}

/** Times by which samples may last longer or shorter together than their media for their durations to be worth something. */
const WORTH = 2

/**
 * Durations in place of those which a table no longer tells: it counts other samples than there are. Sound whose frames all code
 * as many samples has frames of that length where they are as long together as the media, the last one perhaps cut short. Others
 * share that length evenly, which is a guess, where what is left of the table is far from it. Undefined where neither holds.
 * @param counted the table, its counts mended as far as they could be
 */
export function lostDurations(track: TrackDraft, counted: Runs, work: Allowance): FoundDurations | undefined {
  const samples = sampleCount(track.tables)
  const length = track.mediaHeader.duration
  if (runTotal(counted) === samples || length <= 0) return undefined
  const ticks = frameTicks(track)
  const last = length - ticks * (samples - 1)
  if (Number.isInteger(ticks) && last > 0 && last <= ticks) {
    const runs = new RunBuilder()
    runs.add(ticks, samples - 1)
    runs.add(last)
    return { runs, guessed: false }
  }
  const lasting = lastingOf(counted, length)
  const isWorth = lasting < length * WORTH && lasting * WORTH > length
  if (isWorth || !work.take(samples)) return undefined
  return { runs: evenly(length, samples), guessed: true }
}

/** Ticks that every frame of sound lasts by its configuration, whole but for rounding, 0 where that does not tell. */
function frameTicks({ description, mediaHeader }: TrackDraft): number {
  const ticks = frameSeconds(description) * mediaHeader.timescale
  const whole = Math.round(ticks)
  return Math.abs(ticks - whole) < EXACT * whole ? whole : ticks
}

/** Share by which a number of ticks that is computed may miss a whole one. */
const EXACT = 1e-6

/** Ticks that runs of a table last together, but for those that alone last longer than the media. */
function lastingOf({ counts, values, length }: Runs, media: number): number {
  let sum = 0
  for (let run = 0; run < length; run++) {
    const ticks = counts[run] * values[run]
    if (ticks <= media) sum += ticks
  }
  return sum
}

function evenly(length: number, samples: number): Runs {
  const runs = new RunBuilder()
  let start = 0
  for (let i = 1; i <= samples; i++) {
    const end = Math.round((length * i) / samples)
    runs.add(end - start)
    start = end
  }
  return runs
}
