import type { Piece, Section } from '../reading/pieces.ts'
import { medianOf } from '../statistics.ts'
import type { EdgeMeans } from './edge-means.ts'

/** MCUs compared on both sides of a step. */
const SIDE = 8
/** Least step in levels. */
const LEAST = 1.5
/** Of a step, what the row behind it must have, what is left before it and a row later, and how far single MCUs may be off. */
const MOST_OF_IT = 0.75
const LITTLE_OF_IT = 0.3
const SPREAD = 0.4
/** Of a step, what its row has at least up to where that ends as well as behind it. */
const OF_EACH_PART = 0.5
/** Of the row behind a step, MCUs that must have detail. */
const DETAILED = 0.3
/** MCUs from the ends of a row where edges of the picture's own begin, too. */
const FROM_ROW_ENDS = 4
const MOST_STEPS = 512

interface Step {
  readonly at: number
  readonly component: number
}

/**
 * Cuts sections where the DC of a component takes a step that is reading's: from one MCU on it differs from the row above by one
 * offset for exactly a row, until both sides of the border have it. A bit flipped in a difference of DC does that.
 */
export class DcStepFinder {
  readonly #means: readonly EdgeMeans[]
  readonly #wide: number
  readonly #detailed: (mcu: number) => boolean
  readonly #values: Float32Array
  #found = 0

  /** `means` by component; `detailed`: whether an MCU has detail of its own. */
  constructor(means: readonly EdgeMeans[], mcuWide: number, detailed: (mcu: number) => boolean) {
    this.#means = means
    this.#detailed = detailed
    this.#wide = mcuWide
    this.#values = new Float32Array(Math.max(mcuWide, SIDE))
  }

  /** The piece with its sections cut at steps; `place` of its first MCU. */
  cut(piece: Piece, place: number): Piece {
    const steps = piece.sections.flatMap((section) =>
      this.#means.flatMap((_, component) => this.#steps(section, component, place - piece.first)),
    )
    if (steps.length === 0) return piece
    return { ...piece, sections: piece.sections.flatMap((section) => split(section, steps)) }
  }

  #steps({ first, count }: Section, component: number, shift: number): Step[] {
    const { top, bottom } = this.#means[component]
    const wide = this.#wide
    const end = first + count
    const steps: Step[] = []
    let before = 0
    let after = 0
    const difference = (at: number): number => bottom[at - wide] - top[at]
    const from = first + wide + SIDE
    if (from + 2 * SIDE > end) return steps
    for (let i = 0; i < SIDE; i++) {
      before += difference(from - SIDE + i)
      after += difference(from + i)
    }
    for (let at = from; at + SIDE < end && this.#found < MOST_STEPS; at++) {
      if (
        Math.abs(after - before) > LEAST * SIDE * MOST_OF_IT &&
        this.#isStep(at, first, end, component, shift)
      ) {
        steps.push({ at, component })
        this.#found++
        // what lies within a row behind it is compared with what has no step
        at += wide
        if (at + 2 * SIDE >= end) break
        before = 0
        after = 0
        for (let i = 0; i < SIDE; i++) {
          before += difference(at - SIDE + i)
          after += difference(at + i)
        }
        continue
      }
      before += difference(at) - difference(at - SIDE)
      after += difference(at + SIDE) - difference(at)
    }
    return steps
  }

  /** Whether MCUs beside the ends of a step allow one of any size: what needs no look at all of its row. */
  #maybeStep(at: number, end: number, component: number): boolean {
    const wide = this.#wide
    const after = this.#median(component, at, SIDE)
    const most = Math.abs(after) / MOST_OF_IT
    const none = (value: number): boolean => Math.abs(value) < LITTLE_OF_IT * most
    if (most < LEAST || !none(this.#median(component, at - SIDE, SIDE))) return false
    if (at + wide + SIDE > end) return true
    const last = this.#median(component, at + wide - SIDE, SIDE) * Math.sign(after)
    if (last < (MOST_OF_IT * Math.abs(after)) / (2 - MOST_OF_IT) || last > (2 - MOST_OF_IT) * most)
      return false
    return none(this.#median(component, at + wide, SIDE))
  }

  #isStep(at: number, first: number, end: number, component: number, shift: number): boolean {
    const wide = this.#wide
    const column = (at + shift) % wide
    if (column < FROM_ROW_ENDS || column >= wide - FROM_ROW_ENDS) return false
    const row = Math.min(wide, end - at)
    if (row < Math.min(wide, 4 * SIDE)) return false
    if (!this.#maybeStep(at, end, component)) return false
    const offset = this.#median(component, at, row)
    const size = Math.abs(offset)
    if (size < LEAST) return false
    const near = (value: number): boolean => Math.abs(value - offset) < (1 - MOST_OF_IT) * size
    const none = (value: number): boolean => Math.abs(value) < LITTLE_OF_IT * size
    if (!none(this.#median(component, at - SIDE, SIDE)) || !near(this.#median(component, at, SIDE)))
      return false
    // what lies in front of it in its own row has none: there the row itself may have an edge
    const beside = Math.min(column, SIDE)
    if (!none(this.#median(component, at - beside, beside))) return false
    const earlier = Math.min(wide, at - first - wide)
    if (earlier > 0 && !none(this.#median(component, at - earlier, earlier))) return false
    // an edge of the picture's own ends with its row
    const turn = at + wide - column
    if (turn + FROM_ROW_ENDS > at + row) return false
    for (const [from, to] of [
      [at, turn],
      [turn, at + row],
    ])
      if (Math.sign(offset) * this.#median(component, from, to - from) < OF_EACH_PART * size) return false
    if (at + wide + SIDE <= end) {
      if (!near(this.#median(component, at + wide - SIDE, SIDE))) return false
      if (!none(this.#median(component, at + wide, SIDE))) return false
    }
    const later = Math.min(wide, end - at - wide)
    if (later > SIDE && !none(this.#median(component, at + wide, later))) return false
    return this.#spread(component, at, row, offset) < SPREAD * size && this.#hasDetail(at, row)
  }

  /** What is blank from somewhere on begins with a step, too: a photo's own, or what a repair left blank. */
  #hasDetail(from: number, count: number): boolean {
    let detailed = 0
    for (let i = from; i < from + count; i++) if (this.#detailed(i)) detailed++
    return detailed >= DETAILED * count
  }

  #median(component: number, from: number, count: number): number {
    const { top, bottom } = this.#means[component]
    for (let i = 0; i < count; i++) this.#values[i] = bottom[from + i - this.#wide] - top[from + i]
    return medianOf(this.#values, count)
  }

  #spread(component: number, from: number, count: number, offset: number): number {
    const { top, bottom } = this.#means[component]
    for (let i = 0; i < count; i++) {
      this.#values[i] = Math.abs(bottom[from + i - this.#wide] - top[from + i] - offset)
    }
    return medianOf(this.#values, count)
  }
}

/** The parts of a section between steps; each names the components that take one at its start. */
function split(section: Section, steps: readonly Step[]): Section[] {
  const end = section.first + section.count
  const places = [...new Set(steps.map(({ at }) => at))]
    .filter((at) => at > section.first && at < end)
    .sort((a, b) => a - b)
  const bounds = [section.first, ...places, end]
  return bounds.slice(0, -1).map((first, index) => {
    const count = bounds[index + 1] - first
    if (index === 0) return { ...section, count }
    const free = steps.filter(({ at }) => at === first).map(({ component }) => component)
    return { first, count, known: false, free }
  })
}
