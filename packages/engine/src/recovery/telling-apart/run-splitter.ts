import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { SAMPLE_AFTER_HOLE } from '../../model/sample-table.ts'
import type { Lane } from '../carving/lane.ts'
import type { Interleave } from '../learning/learn.ts'
import { compared, type Likeness } from './likeness.ts'
import { dealShares } from './share-dealer.ts'
import type { TurnClocks } from './turn-clocks.ts'
import { dealTurns, type Stretch } from './turn-dealer.ts'

/** What a healthy recording teaches of tracks that look alike. */
export interface Alike {
  readonly reader: ByteReader
  /** What the units of each lane are like, in the lanes' order. */
  readonly likenesses: readonly Likeness[]
  /** How they take turns; undefined where each has its share in one piece. */
  readonly turns: TurnClocks | undefined
}

/** Units that wait for what follows them, before they are given to their tracks. */
const MOST_WAITING = 1 << 14
/**
 * Looks at units that telling how clocks stand may take, and for each further unit: behind a hole it takes a million, and less
 * where few units lie between two holes. Recordings full of holes cannot have it behind each.
 */
const LOOKS = 1 << 26
const LOOKS_A_UNIT = 1 << 9
/** Steps of all searches that such a look takes. */
const LOOK_PRICE = 1 / 2
/** Share of runs that chance may make a track begin. */
const SMOOTHING = 0.02

/**
 * Gives the units of tracks that look alike to these tracks. Either the tracks take turns by their clocks, or a run of such units
 * between other tracks' bytes holds one track's share of a stretch of time after another's, as the sample had it. All clocks
 * advance alike, in seconds; where they stand behind a hole is told by what each track's units are like.
 */
export class RunSplitter {
  readonly #lanes: readonly Lane[]
  readonly #alike: Alike | undefined
  /** Ticks of each lane's timescale in one of the recogniser's, 0 where the recogniser has no clock. */
  readonly #ticks: readonly number[]
  /** Usual ticks of a unit. */
  readonly #usual: readonly number[]
  /** Units of one track before the next takes its turn; Infinity when each track's share lies in one piece. */
  readonly #turn: number
  /** Place of each track among the shares of a run, where it is always the same. */
  readonly #places: readonly number[] | undefined
  readonly #beginning: readonly number[]
  /** Seconds at which each lane's next unit starts. */
  #clocks: number[]
  readonly #looks: Allowance
  /** A hole lies before what waits: nobody knows where clocks stand. */
  #afterHole = false
  #holeEnd = -1
  #guessed = false
  #offsets: number[] = []
  #sizes: number[] = []
  #durations: number[] = []
  #orders: number[] = []
  #flags: number[] = []
  #begins: boolean[] = []
  #runEnded = true

  /** @param work what all searches of the file may take */
  constructor(lanes: readonly Lane[], interleave: Interleave, alike?: Alike, work?: Allowance) {
    this.#looks = new Allowance(LOOKS, work, LOOK_PRICE)
    this.#lanes = lanes
    this.#alike = alike
    this.#turn = Math.max(...lanes.map((lane) => interleave.lanes[lane.index].runUnits))
    this.#usual = lanes.map((lane) => interleave.lanes[lane.index].unitDuration)
    this.#ticks = lanes.map(({ description, recogniser }) =>
      recogniser && recogniser.timescale > 0 ? description.timescale / recogniser.timescale : 0,
    )
    this.#clocks = [...(alike?.turns?.phases ?? lanes.map(() => 0))]
    const places = lanes.map(({ index }) => interleave.places?.[index] ?? 0)
    this.#places = new Set(places).size === lanes.length ? places : undefined
    const usual = 1 / lanes.length + SMOOTHING
    this.#beginning = lanes.map((_, index) => {
      // without a recording: tracks of one rate come in whole turns
      const share = alike?.turns?.begins[index] ?? (index === 0 ? 1 : 0)
      return Math.log2((share + SMOOTHING) / usual)
    })
  }

  /** Some units could be dealt in several ways: nothing but habit told which track they belong to. */
  get guessed(): boolean {
    return this.#guessed
  }

  /** Offset of the first unit that waits to be dealt, Infinity when none does. */
  get waitsFrom(): number {
    return this.#offsets[0] ?? Number.POSITIVE_INFINITY
  }

  /** @param duration in ticks of the recogniser's timescale, 0 when the unit does not say */
  add(offset: number, size: number, duration: number, order: number, flags: number): void {
    if (this.#offsets.length >= MOST_WAITING) this.flush()
    this.#looks.grant(LOOKS_A_UNIT)
    this.#offsets.push(offset)
    this.#sizes.push(size)
    this.#durations.push(duration)
    this.#orders.push(order)
    this.#flags.push(flags)
    this.#begins.push(this.#runEnded)
    this.#runEnded = false
  }

  /** Units of other tracks come next. */
  endRun(): void {
    if (this.#runEnded) return
    if (!this.#takesTurns) this.flush()
    this.#runEnded = true
  }

  /** Takes back the last unit if it is the one at `offset`. */
  dropLast(offset: number): void {
    if (this.#offsets.at(-1) !== offset) return
    for (const column of [this.#offsets, this.#sizes, this.#durations, this.#orders, this.#flags])
      column.pop()
    this.#begins.pop()
  }

  /** Deals all units out that wait; `isCut` where a hole follows them. */
  flush(isCut = false): void {
    const units = this.#offsets.length
    if (units === 0) return
    const stretch = this.#stretch(units)
    const deal = this.#takesTurns
      ? dealTurns(stretch, this.#clocks, this.#afterHole, this.#alike?.turns?.phases, this.#looks)
      : dealShares(stretch, this.#clocks, this.#turn, this.#places, {
          before: this.#offsets[0] === this.#holeEnd,
          after: isCut,
        })
    if (deal.guessed) this.#guessed = true
    for (let unit = 0; unit < units; unit++) this.#give(deal.which[unit], unit)
    this.#clocks = [...deal.clocks]
    this.#afterHole = false
    for (const column of [this.#offsets, this.#sizes, this.#durations, this.#orders, this.#flags])
      column.length = 0
    this.#begins.length = 0
  }

  /** Something was lost up to `end`: nobody knows where clocks stand, and the next run may begin within a turn. */
  hole(end: number): void {
    this.flush(true)
    this.#holeEnd = end
    this.#clocks.fill(0)
    this.#afterHole = true
    this.#runEnded = true
  }

  get #takesTurns(): boolean {
    return this.#alike?.turns !== undefined || this.#turn <= 1
  }

  #stretch(units: number): Stretch {
    const alike = this.#alike
    const bits = alike
      ? this.#offsets.map((offset, unit) =>
          compared(alike.likenesses, alike.reader, offset, this.#sizes[unit]),
        )
      : undefined
    return {
      units,
      seconds: (unit, lane) =>
        this.#ticksOf(unit, lane) / Math.max(1, this.#lanes[lane].description.timescale),
      bits: (unit, lane) => bits?.[unit][lane] ?? 0,
      begins: (unit) => this.#begins[unit],
      beginning: this.#beginning,
    }
  }

  #ticksOf(unit: number, lane: number): number {
    const ticks = this.#durations[unit] * this.#ticks[lane]
    return ticks > 0 ? ticks : this.#usual[lane]
  }

  #give(which: number, unit: number): void {
    this.#lanes[which].table.push(
      this.#offsets[unit],
      this.#sizes[unit],
      1,
      this.#ticksOf(unit, which),
      this.#orders[unit],
      this.#flags[unit] & ~SAMPLE_AFTER_HOLE,
    )
  }
}
