import type { ByteReader } from '../../../bytes/reader.ts'
import type { SampleTable } from '../../../model/sample-table.ts'
import type { CarvedTrack } from '../../../recovery/carve.ts'
import type { Region } from '../regions.ts'
import { filledBytes } from '../zero-runs.ts'

/** Zeros in a row that are damage: no coded unit holds as many. */
const DAMAGE = 512
/** Bytes looked at from each end of a hole, at the most. */
const DEEPEST = 8 << 20
/** Rows on each side of a hole whose sizes tell how large the units were that it took. */
const NEIGHBOURS = 128

/** What a hole took of one track. */
interface Taken {
  readonly units: number
  /** The bitstream's own numbering counts them. */
  readonly counted: boolean
  /** Bytes of the largest unit near. */
  readonly largest: number
}

/** Tells the holes whose bytes are remains of units that are known to be lost there from those that may hold something else. */
export class PaidHoles {
  readonly #reader: ByteReader
  readonly #taken = new Map<number, Taken[]>()

  constructor(reader: ByteReader, tracks: readonly CarvedTrack[]) {
    this.#reader = reader
    for (const { description, table, times, prior } of tracks) {
      const unit = prior.unitDuration / description.timescale
      if (!(unit > 0)) continue
      for (const { row, seconds, estimated, hole } of times.losses) {
        const units = Math.round(seconds / unit)
        if (units < 1) continue
        const taken = this.#taken.get(hole.offset) ?? []
        taken.push({ units, counted: !estimated, largest: largestNear(table, row) })
        this.#taken.set(hole.offset, taken)
      }
    }
  }

  /**
   * True for a hole whose bytes are no more than the units that the bitstream's numbering says are lost there; without a numbering, for
   * one of zeros with the rest of one unit on each side at the most.
   */
  pays(hole: Region): boolean {
    const taken = this.#taken.get(hole.offset)
    if (!taken) return false
    const largest = taken.reduce((most, each) => Math.max(most, each.largest), 0)
    const { front, middle, back } = remains(this.#reader, hole, largest)
    if (taken.some(({ counted }) => counted))
      return front + middle + back <= taken.reduce((sum, each) => sum + each.units * each.largest, 0)
    return middle === 0 && front <= largest && back <= largest && front + back < hole.length
  }
}

/** Bytes of the largest unit among the rows around `row`; a row of several units counts for the mean one. */
function largestNear(table: SampleTable, row: number): number {
  let largest = 0
  const until = Math.min(table.length, row + NEIGHBOURS)
  for (let i = Math.max(0, row - NEIGHBOURS); i < until; i++)
    largest = Math.max(largest, table.size[i] / table.count[i])
  return largest
}

/** Bytes of a hole before its first damage and behind its last, and about how many between that are none; looks `depth` deep. */
function remains(
  reader: ByteReader,
  { offset, length }: Region,
  depth: number,
): { readonly front: number; readonly middle: number; readonly back: number } {
  const reach = Math.min(length, depth + DAMAGE, DEEPEST)
  const head = reader.bytes(offset, reach)
  const front = firstZeros(head.length, (i) => head[i])
  if (front === undefined) return { front: length, middle: 0, back: 0 }
  const tail = reader.bytes(offset + length - reach, reach)
  const back = firstZeros(tail.length, (i) => tail[tail.length - 1 - i]) ?? length - front
  const until = offset + length - back
  return { front, middle: filledBytes(reader, offset + front, until), back }
}

/** Where `DAMAGE` zeros in a row begin. */
function firstZeros(length: number, at: (index: number) => number): number | undefined {
  let run = 0
  for (let i = 0; i < length; i++) {
    run = at(i) === 0 ? run + 1 : 0
    if (run === DAMAGE) return i + 1 - DAMAGE
  }
  return undefined
}
