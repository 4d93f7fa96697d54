import { Allowance } from '../../model/allowance.ts'
import { SAMPLE_KEY, type SampleTable } from '../../model/sample-table.ts'
import type { AlignInput } from './align-input.ts'
import { type FileOrder, firstPlaceAt } from './file-order.ts'
import type { SampleChecker } from './sample-checker.ts'
import type { TakenPlaces } from './taken-places.ts'
import { addTo, INSIDE, NOT_CHECKED, OUTSIDE, type RowView, type UnfitRun, UnfitRuns } from './unfit-runs.ts'

/** Bits that rows at a new shift must show together before it is believed. */
const BELIEF = 64
/** The same where they are all that is left of the index, and none of them speaks against it. */
const LAST_BELIEF = 40
/** Bits that suffice for a shift that is in force, was seen before or is suggested by the structures. */
const KNOWN_BELIEF = 20
/** Checkable rows looked at behind the place where the index stops to fit, among at most so many rows. */
const LOOK_AHEAD = 48
const MAX_AHEAD = 4096
/** The same where samples of one size are told apart by the ends of their chunks: those of some seconds. */
const CHUNKS_AHEAD = 256
/** Checkable rows that may pass before the first one fits where a shift holds. */
const SOON = 4
/** Rows behind which none fits. */
const NEVER = 2 ** 30
/** Bytes searched for the next unit, forward and backward of where it should be. */
const SEARCH_SPAN = 8 * 1024 * 1024
/** Rows of a track whose size is compared with a unit found. */
const SIZE_WINDOW = 256
/** Samples of this size are pictures: no smaller units make them up that would fit at other places as well. */
const LARGE = 1 << 14
/** Shifts remembered. */
const MAX_KNOWN = 64
/** Rows spread over the index by which the first shift is chosen. */
const SPREAD = 96
/** Bytes all searches together may cover, as a multiple of the file's size. */
const SEARCH_BUDGET = 0.5
/** The same of rows held against shifts seen before, beside the one in force. */
const RECALL_BUDGET = 0.5
/**
 * Bytes of either which a unit held against the bytes counts for: at most where it fits, which may take reading it to its end,
 * and where not.
 */
const FITTING_BYTES = 1024
const UNFIT_BYTES = 64
/** Rows that may be looked at for evidence: so many, and so many for every byte of the file. */
const ROWS_LOOKED = 1_000_000
const ROWS_LOOKED_A_BYTE = 1 / 4
/** Steps of all searches that such a look takes. */
const ROW_PRICE = 10

/**
 * Finds by how many bytes an index is off behind a place where its entries stop to fit: first among the shifts that the
 * structures suggest and those seen before, then by searching units near where they should be whose lengths agree with
 * the index, confirmed by the entries that follow.
 */
export class ShiftFinder {
  readonly #input: AlignInput
  readonly #order: FileOrder
  readonly #taken: TakenPlaces
  readonly #known: number[]
  /** Bits by which a fitting row of each table speaks for a shift, and the size that all its samples have, 0 for several. */
  readonly #weight: readonly number[]
  readonly #oneSize: readonly number[]
  #budget: number
  #recall: number
  readonly #looks: Allowance
  readonly #unfit = new UnfitRuns((place, shift) => this.#view(place, shift))
  /** Bytes that evidence was taken from, see `FITTING_BYTES`. */
  #read = 0
  /** See `#evidence`. */
  #first = NEVER
  #all = false
  /** The known shift told last holds soon. */
  #certain = false
  /** Row index up to which a fruitless search need not be repeated. */
  #searchedTo = -1

  constructor(input: AlignInput, order: FileOrder, taken: TakenPlaces) {
    this.#input = input
    this.#order = order
    this.#taken = taken
    this.#known = [0, ...input.suggestions]
    // Samples of one size fit at every multiple of it: they speak against a shift, hardly for one.
    this.#weight = input.tables.map((table, i) => (hasOneSize(table) ? 1 : input.checkers[i].weight))
    this.#oneSize = input.tables.map((table) => (hasOneSize(table) ? table.size[0] : 0))
    this.#budget = SEARCH_BUDGET * input.reader.size + SEARCH_SPAN
    this.#recall = RECALL_BUDGET * input.reader.size + SEARCH_SPAN
    this.#looks = new Allowance(
      ROWS_LOOKED + ROWS_LOOKED_A_BYTE * input.reader.size,
      input.reader.work,
      ROW_PRICE,
    )
  }

  /**
   * Of the shifts known, that which holds behind row `at` of the file order, which does not fit at `current`: `current` itself
   * when the rows after it fit there again (damage in place), undefined when none can be told. Where it is not certain, a search
   * may find another. Where that has cost as much as the file may, the shift in force alone is asked.
   */
  known(at: number, current: number): number | undefined {
    let best: number | undefined
    let bestBits = 0
    let bestFirst = NEVER
    for (let known = -1; known < this.#known.length; known++) {
      const candidate = known < 0 ? current : this.#known[known]
      if (known >= 0 && (candidate === current || this.#recall <= 0)) continue
      this.#read = 0
      const seen = bestFirst === NEVER ? this.#unfit.at(at, candidate) : undefined
      const bits = this.#evidence(at, candidate, current, bestFirst, seen)
      const first = this.#first
      if (known >= 0) this.#recall -= this.#read
      if (bits < KNOWN_BELIEF) continue
      // The shift that holds sooner explains more; at equal distance the one in force, then the one with more evidence.
      if (first < bestFirst || (first === bestFirst && best !== current && bits > bestBits)) {
        best = candidate
        bestBits = bits
        bestFirst = first
      }
    }
    this.#certain = best !== undefined && bestFirst <= SOON
    return best
  }

  /** Whether behind row `at`, where the known shifts were asked last, a search is worth while. */
  isWorthSearching(at: number): boolean {
    return !this.#certain && at > this.#searchedTo && this.#budget > 0
  }

  /** Searches the shift that holds behind row `at`, which does not fit at `current`; undefined when there is none. */
  search(at: number, current: number): number | undefined {
    const lane = this.#lane(at)
    const rows = lane < 0 ? [] : this.#rowsOf(lane, at)
    const found = rows.length === 0 ? undefined : this.#search(at, current, lane, rows)
    // in vain it looked for all of these rows, of which the first half may lie as far away as it looked
    this.#searchedTo = found ? found.at : (rows[rows.length >> 1] ?? at + LOOK_AHEAD / 2)
    if (found && !this.#known.includes(found.shift)) this.#known.push(found.shift)
    if (this.#known.length > MAX_KNOWN) this.#known.splice(1, 1)
    return found?.shift
  }

  /**
   * The shift at which most of some rows spread over the index fit: 0 unless another is clearly better. Where the first rows fit
   * at 0, as they do in front of bytes that are missing, only one at which they fit as well: recordings begin alike.
   */
  initial(): number {
    const bits = this.#evidence(0, 0, 0)
    const first = this.#first
    const begins = bits >= KNOWN_BELIEF && first <= SOON
    const beginsAsWell = (shift: number): boolean =>
      this.#evidence(0, shift, 0) >= KNOWN_BELIEF && this.#first <= first
    const candidates = this.#known.filter((shift) => shift !== 0 && (!begins || beginsAsWell(shift)))
    if (candidates.length === 0) return 0
    let best = 0
    let most = this.#spreadFits(0)
    for (const candidate of candidates) {
      const fits = this.#spreadFits(candidate)
      if (fits > most + 2) {
        most = fits
        best = candidate
      }
    }
    return best
  }

  #spreadFits(shift: number): number {
    const { tables, checkers, reader } = this.#input
    const step = Math.max(1, Math.floor(this.#order.length / SPREAD))
    let fits = 0
    for (let i = 0; i < this.#order.length; i += step) {
      const lane = this.#order.table[i]
      const row = this.#order.row[i]
      const size = tables[lane].size[row]
      const offset = tables[lane].offset[row] + shift
      if (!isTelling(checkers[lane]) || size === 0 || offset < 0 || offset + size > reader.size) continue
      if (checkers[lane].fits(offset, size)) fits++
    }
    return fits
  }

  /**
   * Bits of the rows behind `at` that fit at a shift; `#first` tells then how far behind the first of them is, `#all` whether all
   * fit that are left in the file. `current` is the shift in force. One of which none of the first `soon` checkable rows and the
   * one behind them fits is not looked at further. Rows `seen` before not to fit count as if looked at; those found not to fit
   * behind them are added.
   */
  #evidence(at: number, shift: number, current: number, soon = NEVER, seen?: UnfitRun): number {
    const { tables, checkers } = this.#input
    let bits = 0
    let first = NEVER
    let looked = seen?.checked ?? 0
    let missed = seen !== undefined && seen.inside > 0
    let fitted = Number.NEGATIVE_INFINITY
    let run = seen
    let i = seen?.to ?? at
    if (seen) this.#read += seen.inside * UNFIT_BYTES
    const end = Math.min(this.#order.length, at + MAX_AHEAD)
    for (; i < end && looked < LOOK_AHEAD && bits < BELIEF && this.#looks.take(); i++) {
      const view = this.#view(i, shift)
      if (view !== NOT_CHECKED) {
        if (first === NEVER && looked > soon) break
        looked++
      }
      if (view !== INSIDE) {
        if (run) addTo(run, view)
        continue
      }
      const lane = this.#order.table[i]
      const row = this.#order.row[i]
      const size = tables[lane].size[row]
      const offset = tables[lane].offset[row] + shift
      // of samples that the index has in one place no more than one lies there
      const fits = offset >= fitted && checkers[lane].fits(offset, size)
      this.#read += fits ? Math.min(size, FITTING_BYTES) : UNFIT_BYTES
      if (!fits && run) addTo(run, view)
      // what is taken now may be told from another place not to be
      if (fits) run = undefined
      if (!fits || this.#taken.has(offset, size, at)) {
        missed = true
        continue
      }
      fitted = offset + size
      first = Math.min(first, looked - 1)
      bits += this.#isOthers(lane, row, shift, current) ? 1 : this.#weightAt(lane, shift)
    }
    this.#first = first
    this.#all = !missed && i === this.#order.length
    return bits
  }

  #view(place: number, shift: number): RowView {
    const { tables, checkers, reader } = this.#input
    const lane = this.#order.table[place]
    const row = this.#order.row[place]
    const size = tables[lane].size[row]
    const stated = tables[lane].offset[row]
    if (!isTelling(checkers[lane]) || size === 0 || stated < 0) return NOT_CHECKED
    return stated + shift < 0 || stated + shift + size > reader.size ? OUTSIDE : INSIDE
  }

  /**
   * Whether a row that is moved comes to lie where the shift in force has another one of its track and size: at a constant rate
   * most samples have one size, and any of them fits at another's place.
   */
  #isOthers(lane: number, row: number, shift: number, current: number): boolean {
    if (shift === current) return false
    const { tables } = this.#input
    const { length, table, row: rows } = this.#order
    const offset = tables[lane].offset[row] + shift - current
    for (let at = firstPlaceAt(tables, this.#order, offset, length); at < length; at++) {
      if (tables[table[at]].offset[rows[at]] !== offset) return false
      if (table[at] === lane) return tables[lane].size[rows[at]] === tables[lane].size[row]
    }
    return false
  }

  /**
   * Samples of one size that fit elsewhere than at a multiple of it tell as much of the rest as any: large ones, or all where the
   * file tells how much came in.
   */
  #weightAt(lane: number, shift: number): number {
    const size = this.#oneSize[lane]
    const isTold = size >= LARGE || this.#input.suggestions.includes(shift)
    return isTold && shift % size !== 0 ? this.#input.checkers[lane].weight : this.#weight[lane]
  }

  /** Searches units of checkable tracks around the expected place; a unit's length names the row it may be. */
  #search(at: number, current: number, lane: number, rows: readonly number[]): Found | undefined {
    const { tables, reader } = this.#input
    const expected = tables[lane].offset[this.#order.row[rows[0]]] + current
    const from = Math.max(0, expected - SEARCH_SPAN)
    const to = Math.min(reader.size, expected + SEARCH_SPAN)
    // Forward from the last place known to be right first: deletions and insertions are small as a rule.
    const nearest = Math.max(from, Math.min(expected, this.#lastEnd(at, current)))
    const found =
      this.#searchSpan(lane, rows, nearest, to, current) ??
      this.#searchSpan(lane, rows, from, nearest, current)
    return found && this.#oneSize[lane] > 0 ? this.#ofThoseThatFit(found, this.#oneSize[lane]) : found
  }

  /**
   * Samples of one size that lie side by side fit at each other's places: of the shift found and those by a sample less and more,
   * the one at which the fewest of the rows behind do not fit, as where chunks end.
   */
  #ofThoseThatFit(found: Found, size: number): Found {
    let best = found
    let least = this.#misfits(found)
    for (const shift of [found.shift - size, found.shift + size]) {
      const misfits = this.#misfits({ ...found, shift })
      if (misfits >= least) continue
      least = misfits
      best = { ...found, shift }
    }
    return best
  }

  /** Of the rows behind a place that can be checked, how many do not fit at a shift. */
  #misfits({ shift, at }: Found): number {
    const { tables, checkers, reader } = this.#input
    let misfits = 0
    let looked = 0
    for (let i = at; i < this.#order.length && looked < CHUNKS_AHEAD && this.#looks.take(); i++) {
      const [lane, row] = [this.#order.table[i], this.#order.row[i]]
      const size = tables[lane].size[row]
      if (!isTelling(checkers[lane]) || size === 0) continue
      looked++
      const offset = tables[lane].offset[row] + shift
      if (offset < 0 || offset + size > reader.size || !checkers[lane].fits(offset, size)) misfits++
    }
    return misfits
  }

  /** `rows` are places in the file order of rows of `lane`. */
  #searchSpan(
    lane: number,
    rows: readonly number[],
    start: number,
    end: number,
    current: number,
  ): Found | undefined {
    const table = this.#input.tables[lane]
    const checker = this.#input.checkers[lane]
    let offset = start
    while (offset < end && this.#budget > 0) {
      const hit = checker.search(offset, end)
      this.#budget -= hit - offset + 64
      if (hit >= end) return undefined
      const length = checker.measure(hit, end)
      for (const place of rows) {
        const row = this.#order.row[place]
        if (length > 0 ? table.size[row] !== length : checker.findsKeys && !(table.flags[row] & SAMPLE_KEY))
          continue
        const shift = hit - table.offset[row]
        this.#read = 0
        const bits = this.#evidence(place, shift, current)
        this.#budget -= FITTING_BYTES + this.#read
        if (bits >= (this.#all ? LAST_BELIEF : BELIEF)) return { shift, at: place }
        if (length === 0 && !checker.findsKeys) break
      }
      offset = hit + Math.max(1, length)
    }
    return undefined
  }

  /** The checkable track with the strongest evidence among the next rows. */
  #lane(at: number): number {
    const { checkers } = this.#input
    let best = -1
    for (let i = at; i < Math.min(this.#order.length, at + MAX_AHEAD); i++) {
      const lane = this.#order.table[i]
      if (isTelling(checkers[lane]) && (best < 0 || this.#weight[lane] > this.#weight[best])) best = lane
    }
    return best
  }

  /** Places in the file order of the next rows of a track. */
  #rowsOf(lane: number, at: number): number[] {
    const rows: number[] = []
    for (let i = at; i < this.#order.length && rows.length < SIZE_WINDOW; i++) {
      if (this.#order.table[i] !== lane || this.#input.tables[lane].offset[this.#order.row[i]] < 0) continue
      rows.push(i)
    }
    return rows
  }

  /** End of the row before `at`, at the current shift. */
  #lastEnd(at: number, current: number): number {
    if (at === 0) return 0
    const table = this.#input.tables[this.#order.table[at - 1]]
    const row = this.#order.row[at - 1]
    return table.offset[row] + table.size[row] + current
  }
}

/** Whether rows speak for or against a shift. */
const isTelling = ({ bits, leads }: SampleChecker): boolean => leads && bits > 0

/** True when all samples of a table have one size. */
export function hasOneSize(table: SampleTable): boolean {
  for (let row = 1; row < table.length; row++) if (table.size[row] !== table.size[0]) return false
  return true
}

/** A shift, and the place in the file order from which on it was confirmed. */
interface Found {
  readonly shift: number
  readonly at: number
}
