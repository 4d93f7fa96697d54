import type { Movie, Track } from '../read/container.ts'
import type { FoundPayload, FoundRaw } from './locate.ts'

/** Where a track's bytes were found in the damaged file; undefined where they were not. */
export interface PlacedTrack {
  readonly track: Track
  readonly place: { readonly offset: number; readonly length: number } | undefined
}

/**
 * Which of the parts found each track of a movie names: raw pictures of the same headers, counted from the last, which is the
 * photo's own. Undefined where the photo itself was not found or is coded otherwise.
 */
export function matchTracks(
  { tracks, main }: Movie,
  found: FoundPayload,
): readonly PlacedTrack[] | undefined {
  const raws = tracks.filter(({ kind }) => kind === 'raw').sort((a, b) => a.offset - b.offset)
  const skipped = raws.length - found.raws.length
  const of = new Map<Track, FoundRaw>()
  for (const [i, track] of raws.entries()) {
    const at = found.raws[i - skipped]
    if (at && track.raw && at.tiles === track.raw.tiles && at.header === track.raw.header) of.set(track, at)
  }
  const own = raws.find(({ offsetAt }) => offsetAt === main.offsetAt)
  if (skipped < 0 || !own || !of.has(own)) return undefined
  return tracks.map((track) => ({
    track,
    place:
      track.kind === 'raw'
        ? of.get(track)
        : track.kind === 'jpeg'
          ? found.jpeg
          : track.kind === 'metadata'
            ? found.metadata
            : undefined,
  }))
}
