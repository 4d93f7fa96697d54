import { codecNamed } from '../../codecs/index.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** Times as long as the pictures, and seconds beyond, that sound does not last where all pictures were found. */
const LONGER = 1.5
const BEYOND = 0.5

/** A track with the times of what was found of it. */
interface TimedTrack {
  readonly description: TrackDescription
  readonly table: SampleTable
}

/** Whether sound whose bytes nothing tells from others lasts so much longer than the pictures that it hides some of these. */
export function outlastsPictures(tracks: readonly TimedTrack[]): boolean {
  const shown = tracks.filter(({ description }) => description.kind === 'video').map(secondsOf)
  if (shown.length === 0) return false
  return tracks.some((track) => {
    const { description } = track
    const isDelimited = codecNamed(description.codec)?.recogniser(description)?.selfDelimiting ?? false
    if (description.kind !== 'audio' || isDelimited) return false
    return secondsOf(track) > Math.max(...shown) * LONGER + BEYOND
  })
}

function secondsOf({ description, table }: TimedTrack): number {
  const last = table.length - 1
  if (last < 0) return 0
  return (table.dts[last] + table.duration[last] - table.dts[0]) / description.timescale
}
