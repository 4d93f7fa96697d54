import type { Findings } from '../../../model/finding.ts'
import { tableMended } from '../findings.ts'
import { baseOf, type Fragment } from '../read/fragment-drafts.ts'
import { bytesOf, type DefaultSizes } from './fragment-places.ts'

/**
 * Puts fragments of one track back where their payload is, ISO/IEC 14496-12:2022 §8.8.7: what an editor put before them moved it,
 * and their offsets count from the file's beginning or from boxes. One whose samples join, do not lie in its payload and fill
 * that to the last byte lies there.
 */
export function mendMovedFragments(
  fragments: readonly Fragment[],
  defaultSize: DefaultSizes,
  findings: Findings,
): void {
  for (const fragment of fragments) {
    const { tracks, payload } = fragment
    const [track] = tracks
    if (!payload || tracks.length !== 1 || track.runs.length === 0) continue
    const base = baseOf(track.header, fragment, track)
    if (base === undefined) continue
    const start = base + (track.runs[0].dataOffset ?? 0)
    let at = start
    let joins = true
    for (const run of track.runs) {
      joins &&= run.dataOffset === undefined || base + run.dataOffset === at
      at += bytesOf(track, run, defaultSize)
    }
    if (!joins || at - start !== payload.end - payload.start) continue
    if (start >= payload.start && at <= payload.end) continue
    const own = base + payload.start - start
    findings.add(tableMended(track.header.track, 'tfhd', base, own))
    track.header = { ...track.header, baseOffset: own }
  }
}
