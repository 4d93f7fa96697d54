import type { TrackReport } from './report-words.ts'

/** A stretch of the picture. `estimated` ends are drawn the same and said in words. */
export interface StripPart {
  readonly state: 'recovered' | 'damaged' | 'lost'
  /** Seconds from the start of the recording. */
  readonly start: number
  readonly end: number
  readonly reason: string | undefined
}

/** More stretches than this are joined with their neighbours: nobody can point at a thousand of them. */
export const MAX_PARTS = 160

function knownState(state: string): StripPart['state'] {
  return state === 'lost' || state === 'damaged' ? state : 'recovered'
}

/**
 * The stretches of a track from its start to its end without holes or overlaps: all that the report does not call lost
 * or damaged is recovered, also where a recovered stretch it names reaches into a loss.
 */
export function partsOf(track: Pick<TrackReport, 'ranges' | 'duration'>): readonly StripPart[] {
  const parts: StripPart[] = []
  let at = 0
  const push = (part: StripPart) => {
    const last = parts[parts.length - 1]
    if (last && last.state === part.state && last.reason === part.reason) {
      parts[parts.length - 1] = { ...last, end: part.end }
    } else if (part.end > part.start || part.state !== 'recovered') {
      parts.push(part)
    }
  }
  const faults = track.ranges.filter((range) => knownState(range.state) !== 'recovered')
  for (const range of faults.sort((a, b) => a.start - b.start)) {
    const start = Math.max(at, range.start)
    const end = Math.max(start, range.end)
    if (start > at) push({ state: 'recovered', start: at, end: start, reason: undefined })
    push({ state: knownState(range.state), start, end, reason: range.reason })
    at = end
  }
  if (track.duration > at) push({ state: 'recovered', start: at, end: track.duration, reason: undefined })
  return thin(parts)
}

/** Joins the shortest recovered stretches into the damage around them until few enough are left. */
function thin(parts: readonly StripPart[]): readonly StripPart[] {
  let result = [...parts]
  while (result.length > MAX_PARTS) {
    const before = result.length
    const lengths = result.filter((part) => part.state === 'recovered').map((part) => part.end - part.start)
    const median = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
    const joined: StripPart[] = []
    for (const part of result) {
      const last = joined[joined.length - 1]
      const swallow = part.state === 'recovered' && part.end - part.start <= median && joined.length > 0
      if (last && last.state !== 'recovered' && (swallow || part.state !== 'recovered')) {
        const state = part.state === 'lost' || last.state === 'lost' ? 'lost' : 'damaged'
        joined[joined.length - 1] = {
          state,
          start: last.start,
          end: part.end,
          reason: last.reason ?? part.reason,
        }
      } else {
        joined.push(part)
      }
    }
    result = joined
    if (result.length === before) return result.slice(0, MAX_PARTS)
  }
  return result
}

/** The fault that lies nearest to a time, within `reach` seconds; the first of equals. */
export function faultAt(faults: readonly StripPart[], time: number, reach: number): StripPart | undefined {
  let nearest: StripPart | undefined
  let least = Number.POSITIVE_INFINITY
  for (const part of faults) {
    const away = Math.max(part.start - time, time - part.end, 0)
    if (away <= reach && away < least) {
      nearest = part
      least = away
    }
  }
  return nearest
}
