import type { StepHabits } from '../learning/step-habits.ts'

/** Pictures from one whose place is bounded to the next such one. */
export interface Span {
  readonly from: number
  readonly until: number
  /** Places of the first, and of the one at `until`. */
  readonly low: number
  readonly high: number
  readonly nextLow: number
  readonly nextHigh: number
  /** The place that all before the one at `until` stay in front of. */
  readonly limit: number
}

/** How likely a picture comes at each place, by how far it lies behind the one before: row by row of `width`. */
interface Layer {
  readonly low: number
  readonly high: number
  readonly chances: Float64Array
}

/** How likely a picture comes at each place from `low` on; the sum is 1. */
export interface Places {
  readonly low: number
  readonly chances: Float64Array
}

/**
 * Where pictures that follow one another by learned steps most likely come, all bounds taken together: for each picture how
 * likely all before it and all behind it make each place (the forward-backward algorithm of hidden Markov models). Memory for one
 * span at a time.
 */
export class GridChain {
  readonly #habits: StepHabits
  readonly #longest: Uint16Array
  readonly #sums: Float64Array
  readonly #width: number

  /** `longest`: places by which each picture may lie behind the last one: more than usual behind a hole. */
  constructor(habits: StepHabits, longest: Uint16Array) {
    this.#habits = habits
    this.#longest = longest
    this.#width = habits.most + 1
    this.#sums = new Float64Array(longest.length)
    for (let row = 1; row < longest.length; row++) this.#sums[row] = this.#sums[row - 1] + longest[row]
  }

  /** Places by which the picture at `until` may lie behind the one at `from`. */
  farthest(from: number, until: number): number {
    return this.#sums[until] - this.#sums[from]
  }

  /** Calls `visit` for every picture up to the last bounded one, with no places where those of its span contradict each other. */
  visit(spans: readonly Span[], visit: (row: number, places: Places | undefined) => void): void {
    const last = spans[spans.length - 1]
    const behind: Layer[] = new Array(spans.length + 1)
    behind[spans.length] = this.#even(last.nextLow, last.nextHigh, false)
    for (let i = spans.length - 1; i >= 0; i--) {
      const [first] = this.#backward(spans[i], behind[i + 1]) ?? []
      behind[i] = first ?? this.#even(spans[i].low, spans[i].high, false)
    }
    let before = this.#even(spans[0].low, spans[0].high, true)
    for (const [i, span] of spans.entries()) before = this.#forward(span, before, behind[i + 1], visit)
    visit(last.until, joined(before, behind[spans.length], this.#width))
  }

  /** Anywhere from `low` to `high`, behind a picture that is not known, or any. */
  #even(low: number, high: number, isFirst: boolean): Layer {
    const chances = new Float64Array((high - low + 1) * this.#width)
    if (!isFirst) chances.fill(1)
    else for (let at = 0; at < chances.length; at += this.#width) chances[at] = 1
    return { low, high, chances }
  }

  #empty({ from, until, low, high, nextLow, nextHigh, limit }: Span, row: number): Layer | undefined {
    const least = Math.max(low + row - from, nextLow - this.farthest(row, until))
    const most = Math.min(
      high + this.farthest(from, row),
      nextHigh - (until - row),
      row < until ? limit - (until - row) : Number.POSITIVE_INFINITY,
    )
    if (most < least) return undefined
    return { low: least, high: most, chances: new Float64Array((most - least + 1) * this.#width) }
  }

  /** How likely all that follows is, for each picture of a span; undefined where nothing fits. */
  #backward(span: Span, end: Layer): Layer[] | undefined {
    const layers: Layer[] = new Array(span.until - span.from + 1)
    layers[layers.length - 1] = end
    for (let row = span.until - 1; row >= span.from; row--) {
      const layer = this.#empty(span, row)
      if (!layer) return undefined
      const next = layers[row + 1 - span.from]
      this.#gatherBehind(row + 1, layer, next)
      if (!scaled(layer)) return undefined
      layers[row - span.from] = layer
    }
    return layers
  }

  /** Visits the pictures of a span; returns how likely all before makes the places of the one at its end. */
  #forward(
    span: Span,
    start: Layer,
    end: Layer,
    visit: (row: number, places: Places | undefined) => void,
  ): Layer {
    const behind = this.#backward(span, end)
    let before: Layer | undefined = start
    for (let row = span.from; row < span.until; row++) {
      visit(row, before && behind && joined(before, behind[row - span.from], this.#width))
      const here: Layer | undefined = before
      const next = behind && this.#empty(span, row + 1)
      if (here && next) this.#spreadFrom(row + 1, here, next)
      before = next && scaled(next) ? next : undefined
    }
    return before ?? this.#even(span.nextLow, span.nextHigh, true)
  }

  /** Adds to each place of the picture before `row` how likely all ways on from there are. */
  #gatherBehind(row: number, from: Layer, to: Layer): void {
    const { most, chances } = this.#habits
    const width = this.#width
    const longest = this.#longest[row]
    const isHole = longest > most
    for (let place = from.low; place <= from.high; place++) {
      const here = (place - from.low) * width
      const last = Math.min(longest, to.high - place)
      for (let step = Math.max(1, to.low - place); step <= last; step++) {
        const likely = to.chances[(place + step - to.low) * width + (isHole ? 0 : step)]
        if (likely === 0) continue
        for (let before = 0; before < width; before++)
          from.chances[here + before] += isHole ? likely : likely * chances[before * width + step]
      }
    }
  }

  /** Adds to each place of the picture at `row` how likely all ways to it are. */
  #spreadFrom(row: number, from: Layer, to: Layer): void {
    const { most, chances } = this.#habits
    const width = this.#width
    const longest = this.#longest[row]
    const isHole = longest > most
    for (let place = from.low; place <= from.high; place++) {
      const last = Math.min(longest, to.high - place)
      const first = Math.max(1, to.low - place)
      for (let before = 0; before < width; before++) {
        const likely = from.chances[(place - from.low) * width + before]
        if (likely === 0) continue
        for (let step = first; step <= last; step++)
          to.chances[(place + step - to.low) * width + (isHole ? 0 : step)] += isHole
            ? likely
            : likely * chances[before * width + step]
      }
    }
  }
}

/** Makes the likeliest 1; whether any is. */
function scaled({ chances }: Layer): boolean {
  let most = 0
  for (const chance of chances) most = Math.max(most, chance)
  if (most > 0) for (let i = 0; i < chances.length; i++) chances[i] /= most
  return most > 0
}

/** What both sides leave of a picture's places; undefined where that is nothing. */
function joined(before: Layer, behind: Layer, width: number): Places | undefined {
  const low = Math.max(before.low, behind.low)
  const high = Math.min(before.high, behind.high)
  if (high < low) return undefined
  const chances = new Float64Array(high - low + 1)
  let sum = 0
  for (let place = low; place <= high; place++)
    for (let step = 0; step < width; step++) {
      const both =
        before.chances[(place - before.low) * width + step] *
        behind.chances[(place - behind.low) * width + step]
      chances[place - low] += both
      sum += both
    }
  if (sum === 0) return undefined
  for (let i = 0; i < chances.length; i++) chances[i] /= sum
  return { low, chances }
}
