import type { SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import { runTotal } from '../../boxes/tables.ts'
import { weightedTotal } from '../../mend/times/durations.ts'
import { sampleCount } from '../../mend/times/track-length.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { PlannedTrack } from '../../write/plan.ts'

/** Share of the samples named that may be missing without a word. */
const UNNOTICED = 0.01

/** What became of a track. */
interface Outcome {
  readonly plan: {
    readonly template: { readonly description: TrackDescription }
    readonly table: Pick<SampleTable, 'length'>
  }
  readonly outcome: { readonly recovered: number; readonly damaged: number; readonly lost: number }
}

/**
 * Whether the tables of an index name more samples of a codec than were found or are known to be lost: two tables that count the
 * same were hardly hit both, whatever else was.
 * @param gone samples of each of the index's tracks whose bytes are gone for certain
 */
export function namesMore(
  tracks: readonly Pick<MovieTrack, 'description' | 'tables' | 'layout'>[],
  gone: readonly number[],
  found: readonly Outcome[],
): boolean {
  const missing = new Map<string, number>()
  for (const [lane, { description, tables, layout }] of tracks.entries()) {
    const named = sampleCount(tables)
    if (layout.rows === 'runs' || !tables.durations || runTotal(tables.durations) !== named) continue
    if (!found.some(({ plan }) => plan.template.description.codec === description.codec)) continue
    const before = missing.get(description.codec) ?? 0
    missing.set(description.codec, before + named - gone[lane] - named * UNNOTICED)
  }
  for (const { plan, outcome } of found) {
    const { codec } = plan.template.description
    const before = missing.get(codec)
    if (before !== undefined) missing.set(codec, before - outcome.recovered - outcome.damaged - outcome.lost)
  }
  return [...missing.values()].some((samples) => samples > 0)
}

/** Seconds by which sound may be early or late and few notice, ITU-R BT.1359-1 Annex 1. */
const AUDIBLE = 0.1

/**
 * Whether carving counts more or fewer samples of a track that lost some than two tables of an index name, by more than a moment:
 * then what is behind the holes is late or early.
 */
export function countsOtherwise(
  tracks: readonly Pick<MovieTrack, 'description' | 'tables' | 'layout' | 'samples' | 'mediaHeader'>[],
  found: readonly (Outcome & { readonly plan: { readonly times: PlannedTrack['times'] } })[],
): boolean {
  return found.some(({ plan, outcome: { recovered, damaged, lost } }) => {
    const named = tracks.find(
      ({ description: { id, codec } }) =>
        id === plan.template.description.id && codec === plan.template.description.codec,
    )
    if (!named?.tables.durations || plan.times !== 'carved' || lost === 0) return false
    const { length } = named.samples
    if (named.layout.rows === 'runs' || runTotal(named.tables.durations) !== length || length === 0)
      return false
    const unit = weightedTotal(named.tables.durations) / length / named.mediaHeader.timescale
    return Math.abs(recovered + damaged + lost - length) * unit > AUDIBLE
  })
}
