import type { SampleTable } from '../../../../model/sample-table.ts'
import { runTotal } from '../../boxes/tables.ts'
import type { MovieTrack } from '../../read/movie.ts'

/** A track, as far as its rows. */
interface Rows {
  readonly plan: { readonly table: Pick<SampleTable, 'offset' | 'size' | 'length'> }
}

/** Bytes of the rows of a track that was carved which an index names as another track's, by where they start. */
export class NamedElsewhere {
  /** Which track of the index names a row that starts at an offset. */
  readonly #owner = new Map<number, number>()

  constructor(tracks: readonly Rows[]) {
    for (const [track, { plan }] of tracks.entries())
      for (let row = 0; row < plan.table.length; row++) this.#owner.set(plan.table.offset[row], track)
  }

  /** @param own the track of the index that it is, or −1 */
  bytes({ plan: { table } }: Rows, own: number): number {
    let bytes = 0
    for (let row = 0; row < table.length; row++) {
      const owner = this.#owner.get(table.offset[row])
      if (owner !== undefined && owner !== own) bytes += table.size[row]
    }
    return bytes
  }
}

/** What was found of a track. */
interface Found {
  readonly plan: {
    readonly template: Pick<MovieTrack, 'whole' | 'samples'> & {
      readonly description: Pick<MovieTrack['description'], 'blockAlign'>
      readonly tables: Pick<MovieTrack['tables'], 'durations'>
    }
  }
  readonly outcome: { readonly recovered: number; readonly damaged: number; readonly lost: number }
}

/**
 * Whether carving may have found more of a track than an index: as many units as a whole one still has are no more, wherever they
 * lie, but plain sound is cut into units as it comes; of one that lost nothing, more bytes in no more units are others' bytes,
 * and more units than all of its tables count are others' units.
 */
export function mayHaveMore({ plan: { template }, outcome }: Found, carved: Pick<Found, 'outcome'>): boolean {
  const more = carved.outcome.recovered > outcome.recovered
  if (outcome.damaged > 0) return true
  if (outcome.lost > 0) return more || !template.whole || template.description.blockAlign !== undefined
  const { durations } = template.tables
  if (template.whole && durations && runTotal(durations) === template.samples.length) return false
  return more
}
