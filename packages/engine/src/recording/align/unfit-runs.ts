/**
 * What there is to see of a row at a shift: nothing that can be checked, a place outside the file, or one that can be held
 * against the bytes.
 */
export type RowView = typeof NOT_CHECKED | typeof OUTSIDE | typeof INSIDE
export const NOT_CHECKED = 0
export const OUTSIDE = 1
export const INSIDE = 2

/** Rows one after another in the file order that were looked at, none of which fits at a shift. */
export interface UnfitRun {
  /** The first of them, and the one behind the last. */
  from: number
  to: number
  /** How many of them can be checked, and how many of those lie in the file. */
  checked: number
  inside: number
}

/**
 * The rows behind a place that were seen not to fit, for each shift: behind the next place that does not fit lie all of them but
 * one, and need not be held against the bytes again. Passing those left in front takes no more steps than looking at them took.
 */
export class UnfitRuns {
  readonly #runs = new Map<number, UnfitRun>()
  readonly #view: (place: number, shift: number) => RowView

  constructor(view: (place: number, shift: number) => RowView) {
    this.#view = view
  }

  /** The run that begins at a place: what is known of it, empty where nothing is. Who looks further adds to it. */
  at(place: number, shift: number): UnfitRun {
    const run = this.#runs.get(shift)
    if (!run) return this.#begin(place, shift)
    if (place < run.from || place >= run.to) return empty(run, place)
    for (; run.from < place; run.from++) {
      count(run, this.#view(run.from, shift), -1)
    }
    return run
  }

  #begin(place: number, shift: number): UnfitRun {
    if (this.#runs.size >= MOST_RUNS) this.#runs.clear()
    const run = { from: place, to: place, checked: 0, inside: 0 }
    this.#runs.set(shift, run)
    return run
  }
}

/** The row behind the last of a run does not fit either. */
export function addTo(run: UnfitRun, view: RowView): void {
  run.to++
  count(run, view, 1)
}

function count(run: UnfitRun, view: RowView, by: 1 | -1): void {
  if (view !== NOT_CHECKED) run.checked += by
  if (view === INSIDE) run.inside += by
}

function empty(run: UnfitRun, place: number): UnfitRun {
  run.from = place
  run.to = place
  run.checked = 0
  run.inside = 0
  return run
}

/** Shifts of which runs are kept. */
const MOST_RUNS = 1024
