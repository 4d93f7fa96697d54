import { type Common, common, LastRanges, type Ranges, Turns } from './turns.ts'

/** Seconds by which clocks may seem off for rounding: a nat of unlikelihood. */
const SHARP = 5e-5
/** Stretches must overlap by this many seconds: clocks move in whole units, so that wrong places often meet at the very edge. */
const EDGE = 2e-4
/** Rules that recordings keep this well, in seconds, are taken at their word. */
const SHARP_ENOUGH = 2e-3
/** The most that disagreement costs, in nats. */
const MOST_COST = 12
/**
 * In nats, what a turn adds to that: where sound and pictures take turns by no rule, about every second one would seem to keep
 * it.
 */
const COST_A_TURN = Math.LN2
/** Turns of the recording itself that make the sample's unnecessary. */
const OWN_TURNS = 3

/**
 * How well sound and pictures behind a hole go on taking turns as they did before it. Lost units of either move the one's clock
 * against the other's; only few such shifts agree with the turns on both sides.
 */
export class Interplay {
  readonly #toPictures = new LastRanges()
  readonly #toSound = new LastRanges()
  readonly #grid = new LastRanges()
  readonly #sample: readonly (Common | undefined)[]

  /** `sample`: turns of a healthy recording of the same kind. */
  constructor(sample: Turns = new Turns()) {
    this.#sample = [common(sample.toPictures), common(sample.toSound)]
  }

  /** Goes on behind a hole: `shift` is the sound's clock minus the pictures' at the start of `turns`, `sound` the sound's. */
  pass(turns: Turns, shift: number, sound: number): void {
    this.#toPictures.remember(turns.toPictures, shift)
    this.#toSound.remember(turns.toSound, shift)
    this.#grid.remember(turns.sound, sound)
  }

  /** What the turns behind a hole say of the clocks' distance there. */
  behind(turns: Turns): Meeting {
    return new Meeting([
      [this.#known(this.#toPictures, this.#sample[0]), common(turns.toPictures)],
      [this.#known(this.#toSound, this.#sample[1]), common(turns.toSound)],
    ])
  }

  /**
   * Unlikelihood, in nats, of losing sound, by seconds lost, where pictures come at multiples of `unit` seconds: the sound before
   * pictures keeps its place on their grid. `clock` is the sound's before the hole.
   */
  grid(turns: Turns, unit: number, clock: number): (lost: number) => number {
    const before = onCircle(this.#grid, unit)
    const after = onCircle(turns.sound, unit)
    if (!before || !after) return () => 0
    return (lost) => {
      const centre = (after.low + after.high) / 2 + clock + lost
      const half = (after.high - after.low + before.high - before.low) / 2 - EDGE
      const apart = centre - (before.low + before.high) / 2
      const around = Math.abs(apart - Math.round(apart / unit) * unit)
      const scale = SHARP + 3 * (before.misfit + after.misfit)
      return Math.min(MOST_COST, Math.max(0, around - Math.max(0, half)) / scale)
    }
  }

  #known(own: LastRanges, sample: Common | undefined): Common | undefined {
    const found = own.low.length >= OWN_TURNS ? own.common : undefined
    if (!found || !sample) return found ?? sample
    const low = Math.max(found.low, sample.low)
    const high = Math.min(found.high, sample.high)
    return low <= high ? { ...found, low, high, turns: found.turns + sample.turns } : found
  }
}

type Pair = readonly [before: Common | undefined, after: Common | undefined]

/** The clocks' distance behind a hole: sound minus pictures, in seconds. */
export class Meeting {
  readonly #pairs: {
    readonly low: number
    readonly high: number
    readonly scale: number
    /** What disagreement costs at the most, in nats. */
    readonly most: number
  }[] = []

  constructor(pairs: readonly Pair[]) {
    for (const [before, after] of pairs) {
      if (!before || !after) continue
      const edge = Math.min(EDGE, (before.high - before.low + after.high - after.low) / 2)
      this.#pairs.push({
        low: before.low - after.high + edge,
        high: before.high - after.low - edge,
        scale: SHARP + 3 * (before.misfit + after.misfit),
        most: Math.min(MOST_COST, COST_A_TURN * (before.turns + after.turns - 1)),
      })
    }
  }

  /** The turns tell the distance to a few milliseconds. */
  get isSharp(): boolean {
    return this.#pairs.length > 0 && this.#pairs.every(({ scale }) => scale < SHARP_ENOUGH)
  }

  /** Seconds within which all turns leave the distance open; infinite when none tell. */
  get width(): number {
    const low = Math.max(...this.#pairs.map((pair) => pair.low))
    const high = Math.min(...this.#pairs.map((pair) => pair.high))
    return this.#pairs.length === 0 ? Number.POSITIVE_INFINITY : Math.abs(high - low)
  }

  /** The likeliest distance; undefined when no turns tell. */
  get likeliest(): number | undefined {
    if (this.#pairs.length === 0) return undefined
    const low = Math.max(...this.#pairs.map((pair) => pair.low))
    const high = Math.min(...this.#pairs.map((pair) => pair.high))
    return (low + high) / 2
  }

  /** Unlikelihood of a distance, in nats. */
  cost(distance: number): number {
    let sum = 0
    for (const { low, high, scale, most } of this.#pairs)
      sum += Math.min(most, Math.max(0, low - distance, distance - high) / scale)
    return sum
  }
}

/** The stretch of a circle of `unit` seconds that most of the ranges share. */
function onCircle(ranges: Ranges, unit: number): Common | undefined {
  const count = ranges.low.length
  if (count === 0 || unit <= 0) return undefined
  const origin = (ranges.low[0] + ranges.high[0]) / 2
  const laid: Ranges = { low: [], high: [] }
  for (let i = 0; i < count; i++) {
    const middle = (ranges.low[i] + ranges.high[i]) / 2
    const turn = Math.round((middle - origin) / unit)
    for (const around of [turn - 1, turn, turn + 1]) {
      laid.low.push(ranges.low[i] - around * unit)
      laid.high.push(ranges.high[i] - around * unit)
    }
  }
  const found = common(laid)
  if (!found) return undefined
  const { low, high } = found
  let misfit = 0
  for (let i = 0; i < count; i++) {
    const apart = (ranges.low[i] + ranges.high[i] - low - high) / 2
    const around = Math.abs(apart - Math.round(apart / unit) * unit)
    misfit += Math.max(0, around - (ranges.high[i] - ranges.low[i] + high - low) / 2)
  }
  return { low, high, misfit: misfit / count, turns: count }
}
