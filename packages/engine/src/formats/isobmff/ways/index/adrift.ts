import { codecNamed } from '../../../../codecs/index.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import type { TrackAlignment } from '../../../../recording/align/row-state.ts'
import { isShown } from '../../../../recording/judge/found-tracks.ts'
import type { Assessment, HeldIndex } from '../../assess.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Survey } from '../../read/survey.ts'

/** Pictures or sound of which nobody reads where a sample begins or ends. */
export function isUnread({ kind, codec, framing, facts }: TrackDescription): boolean {
  const hidden = facts?.protected !== undefined
  return isShown(kind) && framing !== 'length' && (hidden || codecNamed(codec) === undefined)
}

/**
 * Whether bytes came into the media data or went from it while an index names samples that nobody can tell from others: those
 * behind that place lie elsewhere, and nothing says where it is. Plain sound, a track of which no sample is read where the index
 * has it, and samples of one size, of which as many bytes are a whole number, go with what lies around them, where that was found
 * to have moved. A media data box whose size alone was hit is as long as its samples.
 */
export function isAdrift(
  { survey }: { readonly survey: Pick<Survey, 'payload' | 'displacements'> },
  {
    tracks,
    alignment,
  }: Pick<HeldIndex, 'tracks'> & {
    readonly alignment: Pick<HeldIndex['alignment'], 'pieces'> & {
      readonly tracks: readonly Pick<TrackAlignment, 'fits'>[]
    }
  },
): boolean {
  const moved = survey.displacements.reduce((sum, bytes) => sum + bytes, 0)
  const followed = alignment.pieces.some(({ shift }) => shift !== 0)
  const isLost = ({ description, samples }: MovieTrack, lane: number): boolean => {
    const isSeen =
      description.codec !== 'pcm' && alignment.tracks[lane].fits > 0 && !areWhole(samples, Math.abs(moved))
    return isUnread(description) || (isShown(description.kind) && samples.length > 0 && !isSeen && !followed)
  }
  if (moved === 0 || !tracks.some(isLost)) return false
  const found = survey.payload.reduce((sum, { length }) => sum + length, 0)
  let named = 0
  for (const { samples } of tracks) for (let row = 0; row < samples.length; row++) named += samples.size[row]
  return Math.abs(named - (found - moved)) < Math.abs(named - found)
}

/** Bytes that a bad sector takes, at the most: where more are missing at the end of a file, that is gone. */
const SECTOR = 4096

/**
 * Whether no picture and no sound of an index is read where it has it, in a file of `size` bytes whose media data come last and
 * end at another byte: few bytes that came in or went look like bytes behind the end, or like an end that is gone.
 */
export function isBlind(
  { survey }: { readonly survey: Pick<Survey, 'boxes'> },
  {
    tracks,
    alignment,
  }: Pick<HeldIndex, 'tracks'> & {
    readonly alignment: { readonly tracks: readonly Pick<TrackAlignment, 'fits'>[] }
  },
  size: number,
): boolean {
  const last = survey.boxes.at(-1)
  if (last?.type !== 'mdat') return false
  let end = 0
  for (const { samples } of tracks)
    for (let row = 0; row < samples.length; row++)
      end = Math.max(end, samples.offset[row] + samples.size[row])
  if (end === size || end - size > SECTOR) return false
  return tracks.every(
    ({ description, samples }, lane) =>
      !isShown(description.kind) || samples.length === 0 || alignment.tracks[lane].fits === 0,
  )
}

/** Whether the file ends at another byte than it says; one in fragments breaks off anywhere. */
export function endsOtherwise({ findings, reading }: Assessment): boolean {
  const breaksOff = reading.fragments.length === 0 && findings.has('isobmff.mdat-size')
  return breaksOff || findings.has('isobmff.trailing-data')
}

/** Whether samples are all of one size, and so many bytes are some of them. */
function areWhole({ length, size }: SampleTable, bytes: number): boolean {
  for (let row = 1; row < length; row++) if (size[row] !== size[0]) return false
  return length > 0 && bytes % size[0] === 0
}

/** Seconds by which sound may be early or late and few notice, ITU-R BT.1359-1 Annex 1. */
const AUDIBLE = 0.1

/**
 * Whether samples of one size, as speech has them, lie in front of a place where bytes are missing or behind it, and nothing
 * tells which do.
 */
export function isLoose({
  tracks,
  alignment,
}: Pick<HeldIndex, 'tracks'> & { readonly alignment: Pick<HeldIndex['alignment'], 'loose'> }): boolean {
  return tracks.some(({ description }, lane) => alignment.loose[lane] > description.timescale * AUDIBLE)
}
