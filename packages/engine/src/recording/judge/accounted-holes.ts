import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { isFiller } from '../../bytes/zeros.ts'
import type { CarvedTrack } from '../../recovery/carve.ts'
import { sizesNear } from '../../recovery/losses/sizes-near.ts'
import type { BrokenOffUnits } from './broken-off-unit.ts'
import { remains } from './hole-remains.ts'

/** Rows on each side of a hole whose sizes tell how large the units were that it took. */
const NEIGHBOURS = 128

/** Units of sound that were hit one behind the other: many more may have been something else. */
const MOST_HEARD = 4

/** What a hole took of one track. */
interface Taken {
  readonly units: number
  /** The bitstream's own numbering counts them. */
  readonly counted: boolean
  /** Bytes of the smallest and the largest unit near. */
  readonly smallest: number
  readonly largest: number
  /** Units of sound of which the clocks on both sides tell how many are missing. */
  readonly heard: boolean
}

/** Tells the holes whose bytes are remains of units that are known to be lost there from those that may hold something else. */
export class AccountedHoles {
  readonly #reader: ByteReader
  readonly #brokenOff: BrokenOffUnits
  /** By the holes' offsets; not of those that the recording's writer left. */
  readonly #taken = new Map<number, Taken[]>()

  constructor(reader: ByteReader, tracks: readonly CarvedTrack[], brokenOff: BrokenOffUnits) {
    this.#reader = reader
    this.#brokenOff = brokenOff
    for (const { description, table, times, prior } of tracks) {
      const unit = prior.unitDuration / description.timescale
      if (!(unit > 0)) continue
      for (const { row, seconds, estimated, uncertain, hole } of times.losses) {
        const units = Math.round(seconds / unit)
        const taken = this.#taken.get(hole.offset) ?? []
        this.#taken.set(hole.offset, taken)
        const heard = description.kind === 'audio' && !uncertain
        if (units >= 1)
          taken.push({ units, counted: !estimated, heard, ...sizesNear(table, row, NEIGHBOURS) })
      }
    }
  }

  /**
   * True for a hole that took nothing from any known track and holds bytes nevertheless: units of a track that nobody knows. Not
   * for what writers fill up with.
   */
  isStrange(hole: Region): boolean {
    const taken = this.#taken.get(hole.offset)
    if (taken === undefined || taken.length > 0) return false
    const { offset, length } = hole
    return (
      !isFiller(this.#reader, offset, offset + length) && remains(this.#reader, hole, length).front === length
    )
  }

  /**
   * True for a hole that begins with part of a unit at the most, and whose bytes are no more than the units that the bitstream's
   * numbering says are lost there; without a numbering, for one of zeros with the rest of one unit on each side at the most. And
   * for one that is nothing but a unit which lost some of its bytes, or as long as the few units of sound are that are missing
   * there and nothing else.
   */
  accountsFor(hole: Region): boolean {
    const taken = this.#taken.get(hole.offset)
    if (!taken || taken.length === 0) return false
    const largest = taken.reduce((most, each) => Math.max(most, each.largest), 0)
    const { front, middle, back } = remains(this.#reader, hole, largest)
    if (front === hole.length && (this.#brokenOff.isCutShort(hole) || isOfSound(taken, hole.length)))
      return true
    if (front > 0 && !this.#brokenOff.isTorn({ offset: hole.offset, length: front })) return false
    if (taken.some(({ counted }) => counted))
      return front + middle + back <= taken.reduce((sum, each) => sum + each.units * each.largest, 0)
    return middle === 0 && front <= largest && back <= largest && front + back < hole.length
  }
}

/** Whether bytes are as many as the units of sound that are missing there have, and nothing else is missing. */
function isOfSound(taken: readonly Taken[], length: number): boolean {
  const units = taken.reduce((sum, each) => sum + each.units, 0)
  if (units > MOST_HEARD || !taken.every(({ heard }) => heard)) return false
  const least = taken.reduce((sum, each) => sum + each.units * each.smallest, 0)
  return least <= length && length <= taken.reduce((sum, each) => sum + each.units * each.largest, 0)
}
