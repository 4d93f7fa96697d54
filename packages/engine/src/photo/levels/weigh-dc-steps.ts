import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { medianOf, NORMAL } from '../statistics.ts'
import type { ColouredSection } from './colour.ts'
import type { EdgeMeans } from './edge-means.ts'
import { unrestOf } from './unrest.ts'

const BLOCK = 8
/** Levels by which edges of even MCUs differ, and what is added for each level of detail. */
const GROUND = 0.5
const FOR_DETAIL = 0.3
/** A single MCU counts no more than that many times what is usual of one. */
const MOST_OF_ONE = 2.5
/** Steps are told by rows that have that part of their MCUs at least. */
const LEAST_OF_ROW = 0.4
/** A step stands out from all other places by that many deviations, and of its row on average by that many of single MCUs. */
const STANDS_OUT = 5
const OF_ROW = 0.4
/** By that many a component takes part in another's step. */
const TAKES_PART = 2.5
/**
 * A large step is that part of its size at least between MCUs right in front of it and right behind it, and so a row later: so
 * many of them.
 */
const LARGE = 1.2
const SUDDEN = 0.5
const BESIDE_OF_ROW = 1 / 12
const LEAST_BESIDE = 6
/**
 * A step that is that many times as high as levels usually jump along rows must show between MCUs beside each other, too: as that
 * part of it, of so many on each side.
 */
const VISIBLE = 3
const ALSO_ALONG = 0.4
const ALONG = 3
/** MCUs from the ends of a row where edges of the picture's own begin, too. */
const FROM_ROW_ENDS = 3
const OF_ROW_ENDS = 1 / 24
/** But so many MCUs behind a step of another component it is one. */
const BESIDE_ANOTHER = 8
/** Places by which it is learned what is usual. */
const MOST_LEARNED = 8_192
const MOST_STEPS = 256
/**
 * Of a step, what its row has at least up to where that ends and behind it, each of so many MCUs or more: edges of the picture's
 * own begin there.
 */
const OF_EACH_PART = 0.25
const LEAST_PART = 12

/** A place of a section from which on DC of components differs. */
export interface DcStep {
  readonly section: number
  /** MCUs of the section in front of it. */
  readonly at: number
  readonly components: readonly number[]
}

export interface StepInput {
  readonly coefficients: Int16Array
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly means: readonly EdgeMeans[]
  readonly source: Int32Array
  readonly sections: readonly ColouredSection[]
}

/**
 * Finds where DC takes steps within sections of a damaged picture whose colours are solved: for one row of MCUs from such a place
 * on they all differ from those above by about as much, and neither before nor behind. A photo's own edges do that where rows
 * begin, or for parts of a row. Sections whose DC is known are looked at `everywhere` only, and what differs in a part of a row
 * is taken for a step there alone: where bits were turned it is likelier to be one.
 */
export function weighDcSteps(input: StepInput, everywhere = false): DcStep[] {
  const { layout, sections } = input
  const wide = layout.mcuWide
  const ownerOf = new Int32Array(layout.mcuCount).fill(-1)
  sections.forEach(({ place, count, first }, index) => {
    for (let i = 0; i < count && place + i < layout.mcuCount; i++)
      if (input.source[place + i] === first + i) ownerOf[place + i] = index
  })
  const rows = layout.components.map((_, component) => new Means(differences(input, component, ownerOf)))
  const jumps = layout.components.map((_, component) => new Jumps(input, component))
  const stands = rows.map((means) => standsOut(input, means, ownerOf))
  const steps: DcStep[] = []
  sections.forEach(({ place, count, known }, section) => {
    // what was read without a break from the scan's start on is as it was written, as far as can be told
    if (known && !everywhere) return
    let at = 1
    while (at + LEAST_OF_ROW * wide < count && steps.length < MOST_STEPS) {
      const best = strongest(stands, place + at, Math.min(place + count, place + at + wide))
      if (!best) {
        at += wide
        continue
      }
      const column = best % wide
      // where rows begin edges of the picture do, too, those of luminance a little aside
      const ends = FROM_ROW_ENDS + (Math.abs(stands[0][best]) >= TAKES_PART ? OF_ROW_ENDS * wide : 0)
      const edge = column < ends || column >= wide - ends
      const beside = sections[section].free !== undefined && best - place <= BESIDE_ANOTHER
      if (edge && !beside) {
        for (const values of stands) flatten(values, best, wide)
        continue
      }
      const components = stands.flatMap((values, component) => {
        // a step that is known and was told from an edge of the picture's own is not found again right behind
        const again = beside && sections[section].free?.includes(component)
        if (again || Math.abs(values[best]) < TAKES_PART || !jumps[component].show(best)) return []
        return everywhere || inBothParts(rows[component], best, wide) ? [component] : []
      })
      if (components.length === 0) {
        for (const values of stands) flatten(values, best, wide)
        continue
      }
      steps.push({ section, at: best - place, components })
      at = best - place + wide
    }
  })
  return steps
}

/** The place from `from` up to `to` that stands out most, if any does. */
function strongest(stands: readonly Float32Array[], from: number, to: number): number | undefined {
  let most = STANDS_OUT
  let best: number | undefined
  for (const values of stands) {
    for (let position = from; position < to; position++) {
      const value = Math.abs(values[position])
      if (value > most) {
        most = value
        best = position
      }
    }
  }
  return best
}

/** How levels of a component jump along rows: at a step they do, at edges of the picture that lie along rows they do not. */
class Jumps {
  readonly #input: StepInput
  readonly #component: number
  readonly #usual: number

  constructor(input: StepInput, component: number) {
    this.#input = input
    this.#component = component
    const { mcuCount } = input.layout
    const stride = Math.max(1, Math.ceil(mcuCount / MOST_LEARNED)) | 1
    const found: number[] = []
    for (let position = ALONG; position < mcuCount; position += stride) {
      if (this.#isTogether(position)) found.push(Math.abs(this.#at(position)))
    }
    this.#usual = NORMAL * medianOf(Float32Array.from(found))
  }

  /** Whether a step at a position shows along its row, or is too low to. */
  show(position: number): boolean {
    const { means, source, layout } = this.#input
    const { top, bottom } = means[this.#component]
    const steps: number[] = []
    for (let i = position; i < Math.min(source.length, position + layout.mcuWide); i++) {
      const above = i >= layout.mcuWide ? source[i - layout.mcuWide] : -1
      if (source[i] >= 0 && above >= 0) steps.push(top[source[i]] - bottom[above])
    }
    const step = medianOf(Float32Array.from(steps))
    if (Math.abs(step) < VISIBLE * this.#usual || !this.#isTogether(position)) return true
    return this.#at(position) / step > ALSO_ALONG
  }

  /** Whether MCUs on both sides of a position lie in one row. */
  #isTogether(position: number): boolean {
    const { mcuWide } = this.#input.layout
    const column = position % mcuWide
    return column >= ALONG && column <= mcuWide - ALONG
  }

  /** By how many levels MCUs from a position on are brighter than those in front of it. */
  #at(position: number): number {
    const { source, means } = this.#input
    const { top } = means[this.#component]
    let jump = 0
    for (let i = 0; i < ALONG; i++) {
      const after = source[position + i]
      const before = source[position - 1 - i]
      if (after >= 0 && before >= 0) jump += (top[after] - top[before]) / ALONG
    }
    return jump
  }
}

/** Takes out what a step at `best` makes of places up to a row from it. */
function flatten(values: Float32Array, best: number, wide: number): void {
  const most = values[best]
  for (let aside = -wide; aside <= wide; aside++) {
    const position = best + aside
    if (position < 0 || position >= values.length) continue
    const left = values[position] - most * (1 - Math.abs(aside) / wide)
    // where less was, nothing is left
    values[position] = left * values[position] > 0 ? left : 0
  }
}

/** Means of values over ranges of places; NaN is none. */
class Means {
  readonly #sums: Float64Array
  readonly #counts: Int32Array

  constructor(values: Float32Array) {
    this.#sums = new Float64Array(values.length + 1)
    this.#counts = new Int32Array(values.length + 1)
    values.forEach((value, position) => {
      const there = !Number.isNaN(value)
      this.#sums[position + 1] = this.#sums[position] + (there ? value : 0)
      this.#counts[position + 1] = this.#counts[position] + (there ? 1 : 0)
    })
  }

  /** The mean from a place up to another, 0 where fewer values than `least` are. */
  mean(from: number, to: number, least = 1): number {
    const first = Math.max(0, from)
    const last = Math.min(this.#sums.length - 1, to)
    const count = last > first ? this.#counts[last] - this.#counts[first] : 0
    return count < least ? 0 : (this.#sums[last] - this.#sums[first]) / count
  }
}

/** Whether a row from `position` on is off up to where rows of the picture turn as well as behind that. */
function inBothParts(rows: Means, position: number, wide: number): boolean {
  const turn = position - (position % wide) + wide
  const beyond = (from: number, to: number): number =>
    rows.mean(from, to) - (rows.mean(from - wide, to - wide) + rows.mean(from + wide, to + wide)) / 2
  const least = OF_EACH_PART * beyond(position, position + wide)
  const isOff = (from: number, to: number): boolean =>
    to - from < LEAST_PART || Math.sign(least) * beyond(from, to) >= Math.abs(least)
  return isOff(position, turn) && isOff(turn, position + wide)
}

/**
 * By how many deviations of all places a row from each position on differs from the ones before and behind it; 0 where nothing
 * tells.
 */
function standsOut(input: StepInput, means: Means, ownerOf: Int32Array): Float32Array {
  const { layout } = input
  const { mcuWide: wide, mcuCount } = layout
  const mean = (from: number, to: number): number => means.mean(from, to, LEAST_OF_ROW * wide)
  const beside = Math.max(LEAST_BESIDE, Math.floor(wide * BESIDE_OF_ROW))
  const near = (from: number, to: number): number => means.mean(from, to)
  const stands = new Float32Array(mcuCount)
  for (let position = 1; position < mcuCount; position++) {
    const owner = ownerOf[position]
    // what begins here is a section of its own already
    if (owner < 0 || ownerOf[position - 1] !== owner) continue
    const { place, count } = input.sections[owner]
    const row = mean(position, Math.min(position + wide, place + count))
    if (row === 0) continue
    const around = (mean(position - wide, position) + mean(position + wide, position + 2 * wide)) / 2
    const size = row - around
    const end = Math.min(position + wide, place + count)
    const sudden = near(position, position + beside) - near(position - beside, position)
    const over = near(end - beside, end) - near(end, end + beside)
    stands[position] = Math.abs(size) > LARGE && Math.min(sudden / size, over / size) < SUDDEN ? 0 : size
  }
  const stride = Math.max(1, Math.ceil(mcuCount / MOST_LEARNED))
  const learned = stands.filter((value, position) => position % stride === 0 && value !== 0).map(Math.abs)
  const usual = Math.max(OF_ROW / STANDS_OUT, NORMAL * medianOf(learned))
  return stands.map((value) => value / usual)
}

/** How much the MCU above each position is brighter along their border, in deviations of single MCUs; NaN where one is lost. */
function differences(input: StepInput, component: number, ownerOf: Int32Array): Float32Array {
  const { layout, means, sections, source, quantisation } = input
  const { top, bottom } = means[component]
  const { mcuWide: wide, mcuCount } = layout
  const unit = quantisation[component][0] / BLOCK
  const unrest = unrestOf(input.coefficients, means, layout, quantisation, component)
  const values = new Float32Array(mcuCount).fill(Number.NaN)
  for (let position = wide; position < mcuCount; position++) {
    const below = source[position]
    const above = source[position - wide]
    const lower = ownerOf[position]
    const upper = ownerOf[position - wide]
    if (below < 0 || above < 0 || lower < 0 || upper < 0) continue
    const lift = (sections[upper].dc[component] - sections[lower].dc[component]) * unit
    const usual = GROUND + FOR_DETAIL * (unrest[below] + unrest[above])
    const value = (bottom[above] - top[below] + lift) / usual
    values[position] = Math.max(-MOST_OF_ONE, Math.min(MOST_OF_ONE, value))
  }
  return values
}
