import type { McuReader } from '../codecs/jpeg/mcu-reader.ts'
import { DcLikelihood } from './dc-likelihood.ts'
import type { Joint } from './joints.ts'
import type { Run } from './read-stream.ts'
import type { StepInput } from './weigh-dc-steps.ts'

const BLOCK = 8
/** Levels by which a turned bit changes DC that are looked for: less hardly shows, more is seen without looking for it. */
const LEAST = 0.7
const MOST = 24
/** Longest values of differences of DC, ITU-T T.81 §F.1.2.1. */
const MOST_BITS = 11
/** MCUs of a row that are compared, about. */
const SAMPLES = 96
/** How much likelier a row must be with a bit turned back: a logarithm. Edges of healthy photos come near that, hardly ever to it. */
const LEAST_GAIN = 24
/** MCUs from the ends of a row where edges of the picture's own begin, too. */
const FROM_ROW_ENDS = 3
const OF_ROW_ENDS = 1 / 24
/** Each part of a row must gain that part of what it should. */
const OF_EACH_PART = 0.25
/** Other changes up to so many units aside may not be that much likelier: then no single bit of the value explains the row. */
const ASIDE = 12
const NOT_LIKELIER = 5

export interface TurnedDcInput extends StepInput {
  readonly reader: McuReader
  readonly starts: Uint32Array
  readonly runs: readonly Run[]
}

/** A bit of a difference of DC, and how much likelier the row behind it is with it turned back: a logarithm. */
interface TurnedDc {
  readonly bit: number
  readonly mcu: number
  readonly place: number
  readonly component: number
  readonly change: number
  readonly gain: number
}

/** A bit that was turned, and the place of the stream that it shows at. */
export interface TurnedBit {
  readonly bit: number
  readonly joint: Joint
}

/**
 * Bits that were turned within differences of DC: reading goes on in step, and only levels from there on are off. That shows along one row of
 * MCUs from the bit on, neither in front nor behind; the change is one that a single bit there makes.
 */
export function turnedDc(input: TurnedDcInput): TurnedBit[] {
  const { layout, quantisation } = input
  const rows = new Rows(input)
  const found = layout.components.flatMap((_, component) => {
    const unit = quantisation[component][0] / BLOCK
    const shows = (change: number): boolean => {
      const levels = Math.abs(change) * unit
      return levels >= LEAST && levels <= MOST
    }
    return CHANGES.filter(shows).flatMap((change) => withChange(rows, input, component, change))
  })
  found.sort((a, b) => b.gain - a.gain)
  const kept: TurnedDc[] = []
  for (const each of found)
    if (kept.every(({ mcu }) => Math.abs(mcu - each.mcu) >= layout.mcuWide)) kept.push(each)
  return kept
    .filter((each) => !rows.another(each))
    .map((each) => ({ bit: each.bit, joint: jointAt(input, each.mcu) }))
}

/** An MCU where sections of the stream, or parts of one, meet. */
function jointAt({ sections, runs }: TurnedDcInput, mcu: number): Joint {
  let line = 0
  let last = 0
  sections.forEach(({ first, free }, index) => {
    if (first > mcu) return
    if (!free) line = index
    last = index
  })
  while (last + 1 < sections.length && sections[last + 1].free) last++
  const run = runs.find(({ first, count }) => mcu < first + count) ?? runs[runs.length - 1]
  return {
    stop: mcu,
    next: mcu,
    first: sections[line].first,
    end: sections[last].first + sections[last].count,
    unbroken: true,
    brokenAt: run.first + run.count,
    brokenBit: run.endBit,
  }
}

/** What one bit of a value changes: its own worth, or, the highest one, the sign, too. */
const CHANGES = Array.from({ length: MOST_BITS }, (_, i) => [2 ** i, 3 * 2 ** i - 1])
  .flat()
  .filter((change, i, all) => all.indexOf(change) === i)
  .flatMap((change) => [change, -change])

/** Bits that change DC of a component by `change` where that explains a row. */
function withChange(rows: Rows, input: TurnedDcInput, component: number, change: number): TurnedDc[] {
  const { mcuWide: wide, mcuCount } = input.layout
  const gain = rows.gains(component, change)
  const ends = FROM_ROW_ENDS + OF_ROW_ENDS * wide
  const found: TurnedDc[] = []
  for (let place = wide; place + wide <= mcuCount; place++) {
    const column = place % wide
    if (!rows.goesOn(place) || column < ends || column >= wide - ends) continue
    const inside = gain(place, place + wide)
    if (inside < LEAST_GAIN) continue
    const own =
      inside - Math.max(0, gain(place - wide, place)) - Math.max(0, gain(place + wide, place + 2 * wide))
    if (own < LEAST_GAIN) continue
    // edges of the picture's own do not go on in the next row up to where they began
    const turn = place - column + wide
    const least = (OF_EACH_PART * own) / wide
    if (gain(place, turn) < least * (wide - column) || gain(turn, place + wide) < least * column) continue
    if (gain(place - column, place) > 0 || gain(place + wide, turn + wide) > 0) continue
    const mcu = input.source[place]
    const bit = bitThatChanges(input, mcu, component, change)
    if (bit !== undefined) found.push({ bit, mcu, place, component, change, gain: own })
  }
  return found
}

/** What speaks for changes of DC along rows of a picture. */
class Rows {
  readonly #input: TurnedDcInput
  readonly #likelihood: DcLikelihood
  /** Sections by place of the picture, those that only a step of DC parts as one; -1 where there is none. */
  readonly #ownerOf: Int32Array
  readonly #stride: number
  readonly #unchanged: Float64Array[] = []

  constructor(input: TurnedDcInput) {
    const { layout, sections, source, means, coefficients, quantisation } = input
    this.#input = input
    this.#likelihood = new DcLikelihood(means, coefficients, layout, quantisation)
    this.#ownerOf = new Int32Array(layout.mcuCount).fill(-1)
    this.#stride = Math.max(1, Math.floor(layout.mcuWide / SAMPLES))
    let owner = 0
    sections.forEach(({ place, count, first, free }, index) => {
      if (!free) owner = index
      for (let i = 0; i < count && place + i < layout.mcuCount; i++)
        if (source[place + i] === first + i) this.#ownerOf[place + i] = owner
    })
  }

  /** Whether the MCU at a place was read behind that in front of it. */
  goesOn(place: number): boolean {
    return this.#ownerOf[place] >= 0 && this.#ownerOf[place - 1] === this.#ownerOf[place]
  }

  /** How much likelier MCUs of a range of places are to lie under those above them with `change` added: by sums of every few of them. */
  gains(component: number, change: number): (from: number, to: number) => number {
    const stride = this.#stride
    const count = Math.ceil(this.#input.layout.mcuCount / stride)
    const sums = new Float64Array(count + 1)
    const unchanged = this.#unchangedOf(component, count)
    for (let i = 0; i < count; i++)
      sums[i + 1] = sums[i] + stride * (this.#said(component, i * stride, change) - unchanged[i])
    const index = (place: number): number => Math.max(0, Math.min(count, Math.ceil(place / stride)))
    return (from, to) => sums[index(to)] - sums[index(from)]
  }

  /** What is said for every few MCUs as they are. */
  #unchangedOf(component: number, count: number): Float64Array {
    let said = this.#unchanged[component]
    if (!said) {
      said = Float64Array.from({ length: count }, (_, i) => this.#said(component, i * this.#stride, 0))
      this.#unchanged[component] = said
    }
    return said
  }

  /** Whether a row from a place on is clearly likelier with another change than `change`. */
  another({ component, change, place }: TurnedDc): boolean {
    const { mcuWide } = this.#input.layout
    const sum = (other: number): number => {
      let said = 0
      for (let at = place; at < place + mcuWide; at++) said += this.#said(component, at, other)
      return said
    }
    const most = sum(change) + NOT_LIKELIER
    for (let aside = 1; aside <= ASIDE; aside++)
      if (sum(change - aside) > most || sum(change + aside) > most) return true
    return false
  }

  #said(component: number, place: number, change: number): number {
    const { layout, quantisation, sections, source } = this.#input
    const lower = this.#ownerOf[place]
    const upper = place >= layout.mcuWide ? this.#ownerOf[place - layout.mcuWide] : -1
    if (lower < 0 || upper < 0) return 0
    const units = sections[lower].dc[component] - sections[upper].dc[component] + change
    const lift = (units * quantisation[component][0]) / BLOCK
    return this.#likelihood.of(component, source[place - layout.mcuWide], source[place], lift)
  }
}

/** The bit of an MCU of the stream that changes DC of a component by `change` when it is turned. */
function bitThatChanges(
  { reader, layout, starts }: TurnedDcInput,
  mcu: number,
  component: number,
  change: number,
): number | undefined {
  const { blocksPerMcu, componentOf } = layout
  const differences = new Int16Array(blocksPerMcu)
  const places = new Int32Array(blocksPerMcu)
  if (reader.pass(starts[mcu], differences, places) < 0) return undefined
  for (let block = 0; block < blocksPerMcu; block++) {
    if (componentOf[block] !== component) continue
    const value = differences[block]
    const size = 32 - Math.clz32(Math.abs(value))
    const least = 1 - 2 ** size
    for (let bit = 0; bit < size; bit++) {
      const coded = (value > 0 ? value : value - least) ^ (1 << bit)
      const other = coded >= 1 << (size - 1) ? coded : coded + least
      if (other - value === change) return places[block] + size - 1 - bit
    }
  }
  return undefined
}
