import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_KEY, SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'

/** Rows on each side looked at for the rhythm of key units. */
export const SURVEYED = 1024
/** The sample's distance of key units counts as often as so many of the recording's own. */
const SAMPLE_WEIGHT = 2
/** Distances of key units that prove them to be always the same. */
const FEWEST_DISTANCES = 4
/** Share of key units with which the numbering starts anew that makes it a rule. */
const EVEN = 0.9
/** Rows left behind that are kept as long as there are no more. */
const MOST_PASSED = 4096

/** What the distances of key units around a place tell. */
export interface Spacing {
  /** The usual one, 0 when there are none. */
  readonly spacing: number
  /** Share that has it. */
  readonly share: number
  readonly longest: number
  /** All have it. */
  readonly strict: boolean
  /** Key units start the numbering anew. */
  readonly restarting: boolean
}

/**
 * The distances of key units around one row of a table after another, no further than `SURVEYED` away: what comes within that is
 * counted, and what is left behind no longer, once each as long as rows rise.
 */
export class KeyDistances {
  readonly #table: SampleTable
  /** Units between key units in the sample, 0 when unknown. */
  readonly #sample: number
  #from = 0
  #until = 0
  /** Rows of key units; those from `#first` on are around. */
  #keys: number[] = []
  /** How far each is from the one before it, 0 where that is not around or something is missing between the two. */
  #apart: number[] = []
  #first = 0
  #restarts = 0
  /** How often each distance is there, and how many there are. */
  readonly #counts = new Map<number, number>()
  #all = 0
  /** No hole came behind the last key unit. */
  #joined = false

  constructor(table: SampleTable, sample: number) {
    this.#table = table
    this.#sample = sample
  }

  /** What is around from now on is what is around `row`. */
  moveTo(row: number): void {
    const from = Math.max(0, row - SURVEYED)
    const end = Math.min(this.#table.length, row + SURVEYED)
    if (from < this.#from) this.#beginAt(from)
    while (this.#until < end) this.#enter(this.#until++)
    while (this.#from < from) this.#leave(this.#from++)
    if (this.#first < MOST_PASSED) return
    this.#keys = this.#keys.slice(this.#first)
    this.#apart = this.#apart.slice(this.#first)
    this.#first = 0
  }

  #beginAt(row: number): void {
    this.#from = row
    this.#until = row
    this.#keys = []
    this.#apart = []
    this.#first = 0
    this.#restarts = 0
    this.#counts.clear()
    this.#all = 0
    this.#joined = false
  }

  #enter(row: number): void {
    const flags = this.#table.flags[row]
    if (flags & SAMPLE_AFTER_HOLE) this.#joined = false
    if ((flags & SAMPLE_KEY) === 0) return
    const apart = this.#joined ? row - this.#keys[this.#keys.length - 1] : 0
    this.#keys.push(row)
    this.#apart.push(apart)
    if (flags & SAMPLE_RESTART) this.#restarts++
    if (apart > 0) this.#count(apart, 1)
    this.#joined = true
  }

  #leave(row: number): void {
    if (this.#keys[this.#first] !== row) return
    if (this.#table.flags[row] & SAMPLE_RESTART) this.#restarts--
    const next = ++this.#first
    if (next === this.#keys.length) this.#joined = false
    else if (this.#apart[next] > 0) {
      this.#count(this.#apart[next], -1)
      this.#apart[next] = 0
    }
  }

  #count(distance: number, by: number): void {
    const times = (this.#counts.get(distance) ?? 0) + by
    if (times > 0) this.#counts.set(distance, times)
    else this.#counts.delete(distance)
    this.#all += by
  }

  /** The first key unit from `row` on, as `key` numbers them. */
  firstFrom(row: number): number {
    return countBelow(this.#keys, row)
  }

  /** The first key unit around. */
  get first(): number {
    return this.#first
  }

  /** Behind the last one around. */
  get end(): number {
    return this.#keys.length
  }

  /** The row of the key unit with a number. */
  key(index: number): number {
    return this.#keys[index]
  }

  get spacing(): Spacing {
    const sample = this.#weightOfSample()
    const all = this.#all + sample
    let spacing = 0
    let most = 0
    let longest = this.#sample
    const weigh = (distance: number, times: number): void => {
      longest = Math.max(longest, distance)
      if (times > most || (times === most && distance > spacing)) {
        most = times
        spacing = distance
      }
    }
    // one unit more or less is how pictures are reordered: the recording itself knows better than its sample
    for (const [distance, times] of this.#counts)
      weigh(distance, times + (distance === this.#sample ? sample : this.#near(distance)))
    if (sample > 0 && !this.#counts.has(this.#sample)) weigh(this.#sample, sample)
    // few distances prove no rule
    const share = all > 0 ? most / (all + 1) : 0
    const strict = all >= FEWEST_DISTANCES && most === all
    const restarting = this.#restarts >= (this.#keys.length - this.#first) * EVEN
    return { spacing, share, longest, strict, restarting }
  }

  /** How often the sample's distance counts: not where the recording has many, and none near it. */
  #weightOfSample(): number {
    if (this.#sample <= 0) return 0
    if (this.#counts.has(this.#sample) || this.#all < FEWEST_DISTANCES) return SAMPLE_WEIGHT
    for (const distance of this.#counts.keys()) if (this.#near(distance) > 0) return SAMPLE_WEIGHT
    return 0
  }

  /** How often the sample's distance counts for one of the recording's own. */
  #near(distance: number): number {
    return this.#sample > 0 && Math.abs(distance - this.#sample) <= 1 ? SAMPLE_WEIGHT : 0
  }
}
