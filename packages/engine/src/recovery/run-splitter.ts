import { SAMPLE_AFTER_HOLE } from '../model/sample-table.ts'
import type { Lane } from './lane.ts'
import type { Interleave } from './learn.ts'

/**
 * Gives the units of tracks with the same syntax to their tracks. A run of such units between other tracks' bytes holds
 * the same stretch of time of each track: either unit by unit in turn, or one track's share after another's, as
 * the sample had it. All of the tracks' clocks advance alike.
 */
export class RunSplitter {
  readonly #lanes: readonly Lane[]
  /** Units of one track before the next takes its turn; Infinity when each track's share lies in one piece. */
  readonly #turn: number
  /** Place of each track among the shares of a run, where it is always the same. */
  readonly #places: readonly number[] | undefined
  readonly #clocks: number[]
  /** A hole lies before the run: turns may begin anywhere. */
  #afterHole = true
  #guessed = false
  #offsets: number[] = []
  #sizes: number[] = []
  #durations: number[] = []
  #orders: number[] = []
  #flags: number[] = []

  constructor(lanes: readonly Lane[], interleave: Interleave) {
    this.#lanes = lanes
    this.#turn = Math.max(...lanes.map((lane) => interleave.lanes[lane.index].runUnits))
    this.#clocks = lanes.map(() => 0)
    const places = lanes.map(({ index }) => interleave.places?.[index] ?? 0)
    this.#places = new Set(places).size === lanes.length ? places : undefined
  }

  /** Some run did not part evenly: nothing but habit told which track its last unit belongs to. */
  get guessed(): boolean {
    return this.#guessed
  }

  add(offset: number, size: number, duration: number, order: number, flags: number): void {
    this.#offsets.push(offset)
    this.#sizes.push(size)
    this.#durations.push(duration)
    this.#orders.push(order)
    this.#flags.push(flags)
  }

  /** The run has ended: deals its units out. */
  flush(): void {
    const units = this.#offsets.length
    if (units === 0) return
    if (this.#turn <= 1) this.#dealInTurn(units)
    else this.#dealShares(units)
    this.#afterHole = false
    this.#offsets = []
    this.#sizes = []
    this.#durations = []
    this.#orders = []
    this.#flags = []
  }

  /** Something was lost here: clocks start level, and the next run may begin within a turn. */
  hole(): void {
    this.flush()
    this.#clocks.fill(0)
    this.#afterHole = true
  }

  /** Unit by unit; a run behind a hole ends with a whole turn, so it is dealt from its end. */
  #dealInTurn(units: number): void {
    const tracks = this.#lanes.length
    let unit = 0
    if (this.#afterHole) {
      for (let which = tracks - (units % tracks); which < tracks && units % tracks !== 0; which++)
        this.#give(which, unit++)
      this.#clocks.fill(0)
    }
    while (unit < units) this.#give(this.#behind(), unit++)
  }

  /** Shares in one piece each: turns of the sample's length while they last, the remainder split evenly. */
  #dealShares(units: number): void {
    const tracks = this.#lanes.length
    if (tracks > 1 && units % tracks !== 0) this.#guessed = true
    const rounds = Math.max(1, Math.round(units / (this.#turn * tracks)))
    let unit = 0
    for (let round = 0; round < rounds; round++) {
      const inRound = Math.round(((round + 1) * units) / rounds) - unit
      const order = this.#order()
      const start = unit
      for (let share = 0; share < tracks; share++) {
        const until = start + Math.round(((share + 1) * inRound) / tracks)
        for (; unit < until; unit++) this.#give(order[share], unit)
      }
    }
  }

  #give(which: number, unit: number): void {
    const { table } = this.#lanes[which]
    this.#clocks[which] += this.#durations[unit]
    table.push(
      this.#offsets[unit],
      this.#sizes[unit],
      1,
      this.#durations[unit],
      this.#orders[unit],
      this.#flags[unit] & ~SAMPLE_AFTER_HOLE,
    )
  }

  /** The track whose clock is furthest behind; the first of equals. */
  #behind(): number {
    let which = 0
    for (let i = 1; i < this.#clocks.length; i++) if (this.#clocks[i] < this.#clocks[which] - 0.5) which = i
    return which
  }

  /** Tracks in the order of their shares: the sample's where that never changes, else those behind first. */
  #order(): number[] {
    const order = this.#clocks.map((_, index) => index)
    const places = this.#places
    if (places) return order.sort((a, b) => places[a] - places[b])
    return order.sort((a, b) => {
      const apart = this.#clocks[a] - this.#clocks[b]
      return Math.abs(apart) <= this.#durations[0] ? a - b : apart
    })
  }
}
