import type { Findings } from '../../../../model/finding.ts'
import { headerMended } from '../../findings.ts'
import type { Fragments } from '../../read/fragments.ts'
import { differByOneBit } from '../bits.ts'

/**
 * Mends a flipped bit in the track id of a fragment: a track that nobody knows is the one, one bit away, that the fragment lacks.
 * @param known ids of the movie's tracks
 */
export function mendFragmentTracks(
  fragments: Fragments,
  known: ReadonlySet<number>,
  findings: Findings,
): void {
  const { headers } = fragments
  for (const [part, header] of headers.entries()) {
    const { track } = header
    if (known.has(track)) continue
    const fragment = fragments.fragmentOf(part)
    const near = [...known].filter((id) => differByOneBit(id, track) && !fragments.has(fragment, id))
    if (near.length !== 1) continue
    const { offset } = fragments.boxes[fragment]
    findings.add(headerMended(offset, `track ${track} of 'tfhd'`, String(near[0])))
    headers[part] = { ...header, track: near[0] }
  }
}
