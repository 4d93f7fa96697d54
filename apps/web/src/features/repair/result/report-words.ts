import type { RepairReport, Verdict } from '@mendframe/contract'
import { formatCount, formatTimecode, plural } from '../../../shared/lib/format.ts'

export type TrackReport = RepairReport['tracks'][number]

/** Stretches that are told one by one; more are summed up. */
const MAX_TOLD = 4

/** The first line of the result. */
export function headlineOf(verdict: Verdict): string {
  if (verdict === 'repaired') return 'Everything that survived is back.'
  if (verdict === 'partial') return 'Your video plays again, with gaps.'
  if (verdict === 'healthy') return 'Nothing is wrong with this file.'
  return 'This file could not be repaired.'
}

/** What a track is called, with its place among tracks of its kind where there are several. */
export function nameOfTrack(track: TrackReport, tracks: readonly TrackReport[]): string {
  const name = { video: 'Picture', audio: 'Sound', text: 'Text' }[track.kind] ?? 'Camera data'
  const alike = tracks.filter((other) => other.kind === track.kind)
  return alike.length > 1 ? `${name} ${alike.indexOf(track) + 1}` : name
}

/** What a track's units are called. */
function units(track: TrackReport, count: number): string {
  return track.kind === 'video' ? plural(count, 'frame') : plural(count, 'piece')
}

/** `between 0:31 and 0:32`, or `at 0:31` when it is shorter than a second. */
export function placeInWords(start: number, end: number): string {
  const from = formatTimecode(start)
  const to = formatTimecode(end)
  return from === to ? `at ${from}` : `between ${from} and ${to}`
}

function placesInWords(ranges: readonly { readonly start: number; readonly end: number }[]): string {
  const places = ranges.slice(0, MAX_TOLD).map((range) => placeInWords(range.start, range.end))
  const more = ranges.length - places.length
  if (more > 0) return `${places.join(', ')} and in ${plural(more, 'more place')}`
  const last = places.pop() ?? ''
  return places.length > 0 ? `${places.join(', ')} and ${last}` : last
}

/** What became of one track, in a few short sentences. */
export function trackInWords(track: TrackReport): readonly string[] {
  const total = track.recovered + track.damaged + track.lost
  const about = track.times === 'estimated' ? 'about ' : ''
  const lines: string[] = []
  if (track.kind === 'video') {
    lines.push(
      track.lost === 0 && track.damaged === 0
        ? `All ${plural(total, 'frame')} are back.`
        : `We found ${formatCount(track.recovered + track.damaged)} of ${about}${plural(total, 'frame')}.`,
    )
  } else if (track.lost === 0 && track.damaged === 0) {
    lines.push(track.kind === 'audio' ? 'All of the sound is back.' : 'All of it is back.')
  }
  const lost = track.ranges.filter((range) => range.state === 'lost')
  if (track.lost > 0) {
    const where = lost.length > 0 ? ` ${placesInWords(lost)}` : ''
    const verb = track.lost === 1 ? 'is' : 'are'
    lines.push(
      `${about}${units(track, track.lost)}${where} ${verb} gone and cannot be brought back.`.replace(
        /^a/,
        'A',
      ),
    )
  }
  const damaged = track.ranges.filter((range) => range.state === 'damaged')
  if (track.damaged > 0) {
    const where = damaged.length > 0 ? ` ${placesInWords(damaged)}` : ''
    lines.push(`${units(track, track.damaged)}${where} ${track.damaged === 1 ? 'shows' : 'show'} damage.`)
  }
  if (track.times === 'estimated') lines.push('Times in this track are estimated.')
  return lines
}
