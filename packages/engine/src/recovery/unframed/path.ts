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
}

/** Readings kept at one place, each with other clocks. */
const MOST_PATHS = 8

/** The best readings that differ in `kind`, the best first, none more than `beam` bits below `best`. */
export function bestPaths(paths: readonly Path[], least: number, kind: (path: Path) => number): Path[] {
  if (paths.length === 1) return paths[0].score >= least ? [paths[0]] : []
  const byKind = new Map<number, Path>()
  for (const path of paths) {
    if (path.score < least) continue
    const key = kind(path)
    const other = byKind.get(key)
    if (!other || path.score > other.score) byKind.set(key, path)
  }
  const kept = [...byKind.values()].sort((a, b) => b.score - a.score)
  return kept.length > MOST_PATHS ? kept.slice(0, MOST_PATHS) : kept
}

/** Tells which readings lead through `ancestor`. They have most of their way in common, which is walked once. */
export function throughAncestor(ancestor: Path): (path: Path) => boolean {
  const known = new Map<Path, boolean>([[ancestor, true]])
  return (path) => {
    const walked: Path[] = []
    let at: Path | undefined = path
    let leads: boolean | undefined
    while (at && leads === undefined) {
      leads = known.get(at) ?? (at.end <= ancestor.start ? false : undefined)
      if (leads === undefined) walked.push(at)
      at = at.before
    }
    for (const step of walked) known.set(step, leads === true)
    return leads === true
  }
}

/** The readings from behind `from` up to `path`, in file order. */
export function stepsTo(path: Path, from: Path | undefined): Path[] {
  const steps: Path[] = []
  for (let at: Path | undefined = path; at && at !== from; at = at.before) steps.push(at)
  return steps.reverse()
}
