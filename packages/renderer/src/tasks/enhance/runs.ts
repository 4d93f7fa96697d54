import { canFollow, startsDecoding } from './entry.ts'
import type { Film } from './film.ts'

/** A stretch of samples, the same in decoding and in display order, end exclusive. */
export interface Run {
  readonly start: number
  readonly end: number
  /**
   * A key picture within that stays as it is: pictures decoded after it are shown before it and refer to ones in front of it, so
   * they are encoded anew, and it moves behind them, to the end of the stretch.
   */
  readonly kept?: number
}

/**
 * The stretches to encode anew so that no damaged sample is left. Each begins at the last place before the damage where
 * decoding and display order part cleanly, and ends where a sound picture needs nothing before it.
 */
export function damagedRuns(film: Film, damaged: Uint8Array): Run[] {
  const { count } = film.samples
  const runs: Run[] = []
  let clean = 0
  for (let i = 0; i < count; i++) {
    if (film.separate[i]) clean = i
    if (!damaged[i]) continue
    const run = { start: clean, ...endOfRun(film, damaged, i + 1) }
    runs.push(run)
    i = run.end - 1
    clean = run.end
  }
  return runs
}

/** The same stretch up to the next place where it may end; undefined where it reaches to the end of the film. */
export function widened(film: Film, damaged: Uint8Array, run: Run): Run | undefined {
  if (run.end >= film.samples.count) return undefined
  return { start: run.start, ...endOfRun(film, damaged, run.end + 1) }
}

/** Stretches that reach into each other, joined. */
export function joinedRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const run of [...runs].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (!last || run.start >= last.end) joined.push(run)
    else if (run.end > last.end) joined[joined.length - 1] = { ...run, start: last.start }
  }
  return joined
}

/** Where a stretch may end from `from` on. */
function endOfRun(film: Film, damaged: Uint8Array, from: number): Omit<Run, 'start'> {
  const { count } = film.samples
  for (let end = from; end < count; end++) {
    if (damaged[end]) continue
    if (isEntry(film, end)) return { end }
    const behind = behindLeading(film, end)
    if (behind !== undefined && damaged.subarray(end, behind).every((hit) => hit === 0))
      return { end: behind, kept: end }
  }
  return { end: count }
}

/** Whether decoding can start at a sample and nothing that is shown after it needs anything before it. */
export function isEntry(film: Film, sample: number): boolean {
  return film.isSync(sample) && film.separate[sample] === 1 && startsDecoding(film, sample)
}

/**
 * The place behind a key picture and the pictures that are decoded after it and shown before it; undefined where it cannot stay
 * without those.
 */
function behindLeading(film: Film, sample: number): number | undefined {
  if (!film.isSync(sample) || film.separate[sample] !== 1 || !canFollow(film, sample)) return undefined
  const behind = (film.rank[sample] ?? 0) + 1
  return behind >= film.samples.count || film.separate[behind] === 1 ? behind : undefined
}
