import { startsDecoding } from './entry.ts'
import type { Film } from './film.ts'

/** A stretch of samples, the same in decoding and in display order, end exclusive. */
export interface Run {
  readonly start: number
  readonly end: number
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
    const start = clean
    let end = i + 1
    while (end < count && (damaged[end] || !isEntry(film, end))) end++
    runs.push({ start, end })
    i = end - 1
    clean = end
  }
  return runs
}

/** Whether decoding can start at a sample and nothing that is shown after it needs anything before it. */
export function isEntry(film: Film, sample: number): boolean {
  return film.isSync(sample) && film.separate[sample] === 1 && startsDecoding(film, sample)
}
