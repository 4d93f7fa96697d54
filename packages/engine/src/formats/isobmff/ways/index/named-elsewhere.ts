import type { SampleTable } from '../../../../model/sample-table.ts'

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
  readonly outcome: { readonly recovered: number; readonly damaged: number; readonly lost: number }
}

/** Whether carving may have found more of a track than an index: of one that lost nothing, more bytes in no more units are others' bytes. */
export function mayHaveMore({ outcome }: Found, carved: Found): boolean {
  return outcome.damaged + outcome.lost > 0 || carved.outcome.recovered > outcome.recovered
}
