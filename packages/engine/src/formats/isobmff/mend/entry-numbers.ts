import type { Findings } from '../../../model/finding.ts'
import { tableMended } from '../findings.ts'
import type { TrackTables } from '../read/movie.ts'

/** Gives chunks whose sample entry does not exist the first one: no more than `entries` are there. */
export function mendEntryNumbers(
  track: number,
  tables: TrackTables,
  entries: number,
  findings: Findings,
): void {
  const numbers = tables.sampleToChunk?.description
  if (!numbers || entries === 0) return
  for (const [run, number] of numbers.entries()) {
    if (number >= 1 && number <= entries) continue
    findings.add(tableMended(track, 'stsc', number, 1))
    numbers[run] = 1
  }
}
