import type { RepairReport, Verdict } from '@mendframe/contract'
import { formatCount, formatTimecode, plural } from '../lib/format.ts'

export type TrackReport = RepairReport['tracks'][number]

/** Stretches that are told one by one; more are summed up. */
const MAX_TOLD = 4

/** The first line of the result. */
export function headlineOf(
  verdict: Verdict,
  report?: Pick<RepairReport, 'findings' | 'verification' | 'tracks'>,
): string {
  if (verdict === 'repaired') return 'Everything that survived is back.'
  if (verdict === 'partial' && report?.findings.some(({ code }) => code === NOTHING_DECODES))
    return playsNothingOf(report, 'video')
      ? 'The sound of your video is back, but no picture of it plays.'
      : 'The pictures of your video are back, but not all of its sound plays.'
  if (verdict === 'partial' && report && report.tracks.length > 0 && report.tracks.every(isWhole))
    return 'Your video plays again. Not everything about it is certain.'
  if (verdict === 'partial') return 'Your video plays again, with gaps.'
  if (verdict === 'healthy') return 'Nothing is wrong with this file.'
  return 'This file could not be repaired.'
}

/** Nothing is known to be missing of a track: what keeps a repair from being complete is then a doubt. */
function isWhole({ lost, damaged }: TrackReport): boolean {
  return lost === 0 && damaged === 0
}

/** A whole track that does not play, beside others that do. */
const NOTHING_DECODES = 'verify.nothing-decodes'

function playsNothingOf({ verification }: Pick<RepairReport, 'verification'>, kind: string): boolean {
  const tracks = verification?.tracks.filter((track) => track.kind === kind) ?? []
  return tracks.length > 0 && tracks.every(({ frames }) => frames === 0)
}

/** What a track is called, with its place among tracks of its kind where there are several. */
export function nameOfTrack(track: TrackReport, tracks: readonly TrackReport[]): string {
  const name = { video: 'Picture', audio: 'Sound', text: 'Text' }[track.kind] ?? 'Camera data'
  const alike = tracks.filter((other) => other.kind === track.kind)
  return alike.length > 1 ? `${name} ${alike.indexOf(track) + 1}` : name
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  recovered: 'Recovered',
  damaged: 'Damaged',
  lost: 'Lost',
}

export function stateInWords(state: string): string {
  return STATE_WORDS[state] ?? state
}

/**
 * Why stretches are as they are. One that says no more than its state has no words; a reason that is not known yet stands as it
 * is.
 */
const REASON_WORDS: Readonly<Record<string, string>> = {
  hole: 'its bytes are gone',
  missing: 'its bytes are gone',
  damaged: '',
  'likely damaged inside': 'likely hit inside',
}

export function reasonInWords(reason: string | undefined): string {
  return reason === undefined ? '' : (REASON_WORDS[reason] ?? reason)
}

/** `Picture, 0:31.0 to 0:31.8: lost, its bytes are gone`: one stretch that is not as it was. */
export function stretchInWords(
  { state, start, end, reason }: Pick<Range, 'state' | 'start' | 'end' | 'reason'>,
  track: string,
): string {
  const why = reasonInWords(reason)
  const from = formatTimecode(start, true)
  const to = formatTimecode(end, true)
  const place = from === to ? `at ${from}` : `${from} to ${to}`
  return `${track}, ${place}: ${stateInWords(state).toLowerCase()}${why ? `, ${why}` : ''}`
}

/** `0.8 s`, `12 s`: how long a stretch is. */
function secondsInWords(seconds: number): string {
  return `${seconds < 10 ? Math.max(0.1, seconds).toFixed(1) : Math.round(seconds)} s`
}

type Range = TrackReport['ranges'][number]

/** How much of a track a set of stretches is: pictures are counted, everything else is measured in time. */
function amountInWords(
  track: TrackReport,
  count: number,
  ranges: readonly Range[],
): readonly [text: string, one: boolean] {
  if (track.kind === 'video') return [plural(count, 'frame'), count === 1]
  const seconds = ranges.reduce((sum, range) => sum + Math.max(0, range.end - range.start), 0)
  const of = track.kind === 'audio' ? ' of sound' : ''
  return seconds > 0 ? [`${secondsInWords(seconds)}${of}`, true] : [plural(count, 'piece'), count === 1]
}

/** `between 0:31 and 0:32`, or `at 0:31` when it is shorter than a second. */
function placeInWords(start: number, end: number): string {
  const from = formatTimecode(start)
  const to = formatTimecode(end)
  return from === to ? `at ${from}` : `between ${from} and ${to}`
}

function placesInWords(ranges: readonly { readonly start: number; readonly end: number }[]): string {
  // Stretches within one second are one place.
  const all = [...new Set(ranges.map((range) => placeInWords(range.start, range.end)))]
  const places = all.slice(0, MAX_TOLD)
  const more = all.length - places.length
  if (more > 0) return `${places.join(', ')} and in ${plural(more, 'more place')}`
  const last = places.pop() ?? ''
  return places.length > 0 ? `${places.join(', ')} and ${last}` : last
}

/** That nothing of a track is known to be missing. */
function wholeInWords({ kind, recovered }: TrackReport, mayHaveHadMore: boolean): string {
  if (kind === 'video') {
    if (recovered === 1)
      return mayHaveHadMore ? 'The one frame that was found is back.' : 'Its one frame is back.'
    return `All ${plural(recovered, 'frame')}${mayHaveHadMore ? ' that were found' : ''} are back.`
  }
  const what = kind === 'audio' ? 'the sound' : 'it'
  return mayHaveHadMore ? `All that was found of ${what} is back.` : `All of ${what} is back.`
}

/** Doubts that a track had no more than was found of it. */
const OF_MORE: ReadonlySet<string> = new Set([
  'index-cut',
  'index-hit',
  'index-lossy',
  'unexplained',
  'none-whole',
])

/** What became of one track, in a few short sentences that claim no more than the doubts of the report allow. */
export function trackInWords(
  track: TrackReport,
  doubts: NonNullable<RepairReport['doubts']> = [],
): readonly string[] {
  const mayHaveHadMore = doubts.some(({ code }) => OF_MORE.has(code))
  const about = track.times === 'estimated' ? 'about ' : ''
  const lines: string[] = []
  if (isWhole(track)) lines.push(wholeInWords(track, mayHaveHadMore))
  else if (track.kind === 'video') {
    const found = formatCount(track.recovered + track.damaged)
    const total = plural(track.recovered + track.damaged + track.lost, 'frame')
    lines.push(`We found ${found} of ${about || (mayHaveHadMore ? 'at least ' : '')}${total}.`)
  }
  const lost = track.ranges.filter((range) => range.state === 'lost')
  if (track.lost > 0) {
    const [amount, one] = amountInWords(track, track.lost, lost)
    const where = lost.length > 0 ? ` ${placesInWords(lost)}` : ''
    lines.push(capital(`${about}${amount}${where} ${one ? 'is' : 'are'} gone and cannot be brought back.`))
  }
  const damaged = track.ranges.filter((range) => range.state === 'damaged')
  if (track.damaged > 0) {
    const [amount, one] = amountInWords(track, track.damaged, damaged)
    const where = damaged.length > 0 ? ` ${placesInWords(damaged)}` : ''
    lines.push(`${amount}${where} ${one ? 'shows' : 'show'} damage.`)
  }
  if (track.times === 'estimated') lines.push('Times in this track are estimated.')
  return lines
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
