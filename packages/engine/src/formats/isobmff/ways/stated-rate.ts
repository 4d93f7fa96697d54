import type { SampleTable } from '../../../model/sample-table.ts'
import type { Movie } from '../read/movie.ts'
import type { Teacher } from './carve-file.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'

/** Share by which pictures may last otherwise than a header says, and pictures by which writers count otherwise. */
const AGREES = 0.01
const COUNTED = 2

/**
 * Whether pictures come at a rate that their bitstream alone states: no table gives their times, and what is left of the movie
 * box states no length that goes with it.
 */
export function restsOnBitstream(
  { unconfirmed }: Teacher,
  tracks: readonly RecoveredTrack[],
  movie: Movie | undefined,
): boolean {
  if (!unconfirmed) return false
  const lengths = movie ? statedLengths(movie) : []
  return tracks.some(({ plan: { template, table, times } }) => {
    const { kind, timescale } = template.description
    if (kind !== 'video' || times !== 'carved' || table.length < 2) return false
    const lasting = ticksOf(table) / timescale
    const room = Math.max(lasting * AGREES, (lasting / table.length) * COUNTED)
    return !lengths.some((length) => Math.abs(length - lasting) <= room)
  })
}

/** Seconds that a movie's header and those of its pictures say they last. */
function statedLengths({ header, headerLost, tracks }: Movie): number[] {
  const ofTracks = tracks
    .filter(({ description }) => description.kind === 'video')
    .flatMap(({ header: track, mediaHeader, lost }) => [
      ...(lost.has('mdhd') ? [] : [mediaHeader.duration / mediaHeader.timescale]),
      ...(lost.has('tkhd') || headerLost ? [] : [track.duration / header.timescale]),
    ])
  const all = headerLost ? ofTracks : [...ofTracks, header.duration / header.timescale]
  return all.filter((seconds) => seconds > 0)
}

function ticksOf({ dts, duration, length }: SampleTable): number {
  return dts[length - 1] + duration[length - 1] - dts[0]
}
