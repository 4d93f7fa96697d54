/** Lane of a stretch that belongs to no unit. */
export const HOLE = -1

/** A reading of the bytes up to `end`: one unit, and through `before` all those before it. */
export interface Path {
  /** Cut off once everything up to here is decided. */
  before: Path | undefined
  readonly lane: number
  readonly start: number
  readonly end: number
  /** Bits by which the whole reading is likelier than chance. */
  readonly score: number
  /** Seconds by which the first lane's clock is ahead of the second's. */
  readonly apart: number
  /** Lane of the last unit, `HOLE` when none is known. */
  readonly last: number
  /** Bytes of the last sound unit, 0 when none is known. */
  readonly soundBytes: number
  /** What the last walk that met it found: see `throughAncestor`. */
  walk: number
}

/** Readings kept at one place, each with other clocks. */
const MOST_PATHS = 8

/** Of readings that end at one place the best of each kind. */
export class BestPaths {
  readonly #placeOf = new Map<number, number>()
  #paths: Path[] = []

  /** Whether one of this kind would be the best. */
  wants(kind: number, score: number): boolean {
    const place = this.#placeOf.get(kind)
    return place === undefined || score > this.#paths[place].score
  }

  /** Adds one that is wanted. */
  add(kind: number, path: Path): void {
    const place = this.#placeOf.get(kind)
    if (place !== undefined) this.#paths[place] = path
    else this.#placeOf.set(kind, this.#paths.push(path) - 1)
  }

  /** All of them, the best first, of equal ones that which came first, `MOST_PATHS` at the most; none is left. */
  take(): Path[] {
    if (this.#paths.length === 0) return []
    const paths = this.#paths
    this.#paths = []
    this.#placeOf.clear()
    if (paths.length > 1) paths.sort((a, b) => b.score - a.score)
    return paths.length > MOST_PATHS ? paths.slice(0, MOST_PATHS) : paths
  }
}

/**
 * Tells which readings lead through `ancestor`. They have most of their way in common, which is walked once: what was found is
 * noted at each step. `walk`: another number each time, from 1 on.
 */
export function throughAncestor(ancestor: Path, walk: number): (path: Path) => boolean {
  const leads = 2 * walk + 1
  const strays = 2 * walk
  ancestor.walk = leads
  return (path) => {
    let at: Path | undefined = path
    while (at && at.walk !== leads && at.walk !== strays && at.end > ancestor.start) at = at.before
    const found = at?.walk === leads ? leads : strays
    for (let step: Path | undefined = path; step && step !== at; step = step.before) step.walk = found
    return found === leads
  }
}

/** The readings from behind `from` up to `path`, in file order. */
export function stepsTo(path: Path, from: Path | undefined): Path[] {
  const steps: Path[] = []
  for (let at: Path | undefined = path; at && at !== from; at = at.before) steps.push(at)
  return steps.reverse()
}
