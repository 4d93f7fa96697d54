import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { EdgeMeans } from '../levels/edge-means.ts'

const BLOCK = 8
/** MCUs of a row that are compared, about, and at least. */
const SAMPLES = 64
const LEAST_SAMPLES = 16
/** Levels from which on a difference counts no more. */
const MOST = 6
/** A row goes on from the one above it when it fits no worse than rows around do by that factor and levels. */
const USUAL_FACTOR = 1.35
const USUAL_LEVELS = 0.5
/**
 * Behind a break that shows it may fit worse, to that part of the most of all components: the picture's own edges may lie there.
 */
const BROKEN_PART = 0.4
/** What is left at most of the mismatch of a row that did not fit. */
const GAIN = 0.9

/** MCUs that are in line from `first` up to `stop`, and from `next` up to `end`. */
interface Sides {
  readonly first: number
  readonly stop: number
  readonly next: number
  readonly end: number
}

/** How well the row behind a break goes on from the one above it in all components, DC and all. */
export class RowFit {
  readonly #means: readonly EdgeMeans[]
  readonly #wide: number
  readonly #units: readonly number[]
  readonly #usual = new Map<Sides, number>()

  constructor(
    means: readonly EdgeMeans[],
    { mcuWide }: McuLayout,
    quantisation: readonly ArrayLike<number>[],
  ) {
    this.#means = means
    this.#wide = mcuWide
    this.#units = quantisation.map((table) => table[0] / BLOCK)
  }

  /**
   * Levels by which MCUs from `target` on differ from those above when they lie `shift` MCUs farther on than by their numbers,
   * with `dc` added, and MCUs in front of `mcu` are right; undefined where too few lie above each other.
   */
  mismatch(sides: Sides, mcu: number, target: number, shift: number, dc: Int32Array): number | undefined {
    const from = Math.max(target, sides.next, sides.first + this.#wide - shift)
    const to = Math.min(sides.end, mcu + this.#wide - shift)
    return this.#between(from, to, this.#wide - shift, dc)
  }

  /** The mismatch up to which a row fits, where it is `now` without a change; undefined where reading broke off. */
  limit(sides: Sides, now: number | undefined): number {
    const limit = USUAL_FACTOR * this.#usualOf(sides) + USUAL_LEVELS
    return now === undefined
      ? Math.max(limit, BROKEN_PART * MOST * this.#means.length)
      : Math.min(limit, GAIN * now)
  }

  #usualOf(sides: Sides): number {
    let usual = this.#usual.get(sides)
    if (usual === undefined) {
      const wide = this.#wide
      const above = this.#between(Math.max(sides.first + wide, sides.stop - wide), sides.stop, wide)
      const from = sides.next + wide
      const below = this.#between(from, Math.min(sides.end, from + wide), wide)
      usual = Math.max(above ?? 0, below ?? 0)
      this.#usual.set(sides, usual)
    }
    return usual
  }

  #between(from: number, to: number, lag: number, dc?: Int32Array): number | undefined {
    const stride = Math.max(1, Math.floor(this.#wide / SAMPLES))
    let sum = 0
    let count = 0
    for (let at = from; at < to; at += stride, count++) {
      for (let component = 0; component < this.#means.length; component++) {
        const { top, bottom } = this.#means[component]
        const shifted = top[at] + (dc ? dc[component] * this.#units[component] : 0)
        sum += Math.min(MOST, Math.abs(bottom[at - lag] - shifted))
      }
    }
    return count < LEAST_SAMPLES ? undefined : sum / count
  }
}
