import type { RecordedTrack } from '../carving/lane.ts'
import { inFileOrder } from '../learning/rows-by-place.ts'

/** Steps of the distance between clocks to the shorter unit: multiplexers decide by the tick. */
const STEPS = 16
/** Steps within which the next one seen speaks for one never seen. */
const NEAR_STEPS = 6
/** Steps that count as the same distance when readings are compared. */
const ALIKE_STEPS = 4
/** Weight of a turn never seen. */
const UNSEEN = 0.02
/** A turn that the sample never took costs no more bits than this: recordings differ. */
const DEAREST = 12
/** What it costs where the sample's clocks were never that far apart, for the lane that lags and for the other. */
const LAGGING = 0.5
const LEADING = 9
/** Distances whose bits are kept once they were asked for: as many as clocks of recordings have. */
const MOST_KEPT = 1 << 14
/** Distances a recording may have where it is entered. */
const MOST_ENTRIES = 12

/** A distance between the clocks at which recovery may set in. */
export interface Entry {
  readonly apart: number
  readonly bits: number
}

/**
 * Whose turn it is: which of two lanes a multiplexer writes next, by how far the first's clock is ahead of the second's and which
 * of them it wrote last. Learned from a healthy recording.
 */
export class Turns {
  /** Seconds a unit of each lane lasts. */
  readonly seconds: readonly number[]
  readonly #step: number
  /** By last lane: bucket to the times each lane came next. */
  readonly #counts: readonly Map<number, number[]>[]
  #least = 0
  #most = 0
  /** How far clocks may come apart beyond what was seen. */
  readonly #room: number
  /**
   * Bits by distance, last lane and next one, from `#firstKept` on: NaN where nobody asked, infinite where no turn was seen near.
   */
  readonly #kept: Float64Array
  readonly #firstKept: number

  constructor(tracks: readonly RecordedTrack[], seconds: readonly number[]) {
    this.seconds = seconds
    this.#step = Math.min(...seconds) / STEPS || 1
    this.#counts = tracks.map(() => new Map())
    const clock = tracks.map(() => 0)
    let last = -1
    inFileOrder(
      tracks.map(({ table }) => table),
      (lane, row) => {
        const { table, description } = tracks[lane]
        // the clocks at which the units to come begin
        clock[lane] = table.dts[row] / description.timescale
        if (tracks.length === 2 && last >= 0) this.#see(last, clock[0] - clock[1], lane)
        clock[lane] += table.duration[row] / description.timescale
        last = lane
      },
    )
    this.#room = Math.max(...seconds)
    this.#firstKept = this.#bucket(this.#least - this.#room)
    const distances = this.#bucket(this.#most + this.#room) - this.#firstKept + 1
    this.#kept = new Float64Array(distances <= MOST_KEPT ? distances * 4 : 0).fill(Number.NaN)
  }

  #see(last: number, apart: number, lane: number): void {
    const bucket = this.#bucket(apart)
    const counts = this.#counts[last].get(bucket) ?? [0, 0]
    counts[lane]++
    this.#counts[last].set(bucket, counts)
    this.#least = Math.min(this.#least, apart)
    this.#most = Math.max(this.#most, apart)
  }

  #bucket(apart: number): number {
    return Math.round(apart / this.#step)
  }

  /** The same number for distances that are about the same. */
  about(apart: number): number {
    return Math.round(apart / this.#step / ALIKE_STEPS)
  }

  #countsNear(last: number, apart: number): readonly number[] | undefined {
    const seen = this.#counts[last]
    if (!seen) return undefined
    const bucket = this.#bucket(apart)
    for (let away = 0; away <= NEAR_STEPS; away++) {
      const counts = seen.get(bucket - away) ?? seen.get(bucket + away)
      if (counts) return counts
    }
    return undefined
  }

  /** Bits, at most 0, of `lane` coming next. */
  bits(last: number, apart: number, lane: number): number {
    if (this.#counts.length < 2) return 0
    const bits = last < 0 ? this.#seenBits(last, apart, lane) : this.#keptBits(last, apart, lane)
    if (bits !== Number.POSITIVE_INFINITY) return bits
    if (apart < this.#least || apart > this.#most) return apart < 0 === (lane === 0) ? -LAGGING : -LEADING
    return -1
  }

  #keptBits(last: number, apart: number, lane: number): number {
    const place = 4 * (this.#bucket(apart) - this.#firstKept) + 2 * last + lane
    const kept = this.#kept[place]
    if (kept !== undefined && !Number.isNaN(kept)) return kept
    const bits = this.#seenBits(last, apart, lane)
    this.#kept[place] = bits
    return bits
  }

  /** By the turns seen; infinite where none was near. */
  #seenBits(last: number, apart: number, lane: number): number {
    const counts = this.#countsNear(last, apart)
    if (!counts) return Number.POSITIVE_INFINITY
    const share = (counts[lane] + UNSEEN) / (counts[0] + counts[1] + 2 * UNSEEN)
    return Math.max(-DEAREST, Math.log2(share))
  }

  /** The distance behind a unit of `lane`, no further than the sample's ever were. */
  after(apart: number, lane: number): number {
    if (this.#counts.length < 2) return 0
    const next = apart + (lane === 0 ? this.seconds[0] : -this.seconds[1])
    return Math.min(this.#most + this.#room, Math.max(this.#least - this.#room, next))
  }

  /** Distances at which a unit of lane 0 may be the first after a hole, the usual ones. */
  entries(): Entry[] {
    const found = new Map<number, number>()
    for (const counts of this.#counts)
      for (const [bucket, [first]] of counts)
        if (first > 0) found.set(bucket, (found.get(bucket) ?? 0) + first)
    const total = [...found.values()].reduce((sum, count) => sum + count, 0)
    if (total === 0) return [{ apart: 0, bits: 0 }]
    return [...found]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_ENTRIES)
      .map(([bucket, count]) => ({ apart: bucket * this.#step, bits: Math.log2(count / total) }))
  }
}
