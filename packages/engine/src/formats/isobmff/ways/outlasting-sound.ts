import { codecNamed } from '../../../codecs/index.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Times as long as the pictures, and seconds beyond, that sound does not last where all pictures were found. */
const LONGER = 1.5
const BEYOND = 0.5

/** Whether sound whose bytes nothing tells from others lasts so much longer than the pictures that it hides some of these. */
export function outlastsPictures(tracks: readonly RecoveredTrack[]): boolean {
  const shown = tracks.filter(({ plan }) => plan.template.description.kind === 'video').map(secondsOf)
  if (shown.length === 0) return false
  return tracks.some((track) => {
    const { description } = track.plan.template
    const isDelimited = codecNamed(description.codec)?.recogniser(description)?.selfDelimiting ?? false
    if (description.kind !== 'audio' || isDelimited) return false
    return secondsOf(track) > Math.max(...shown) * LONGER + BEYOND
  })
}

function secondsOf({ plan: { table, template } }: RecoveredTrack): number {
  const last = table.length - 1
  if (last < 0) return 0
  return (table.dts[last] + table.duration[last] - table.dts[0]) / template.description.timescale
}
