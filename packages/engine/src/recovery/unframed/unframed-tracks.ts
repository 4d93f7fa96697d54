import type { Lane, LaneGroup } from '../carving/lane.ts'
import type { LanePrior } from '../learning/learn.ts'
import { type Extra, extrasOf } from './data-tracks.ts'
import { recogniserOf, type Teacher, type Track, trackOf } from './taught-lane.ts'

/** Codecs whose packets carry no length in MP4, and those that may lie beside them. */
const UNFRAMED = new Set(['vp8', 'vp9', 'opus'])
const PICTURES = new Set(['vp8', 'vp9', 'av1', 'h264', 'hevc', 'mpeg4', 'mpeg2video', 'mpeg1video', 'mjpeg'])
const SOUNDS = new Set(['opus', 'aac', 'mp3', 'ac3', 'eac3', 'flac', 'alac', 'amr'])

/**
 * Whether these tracks are the segmenter's: pictures and sound of which one carries no length, or such pictures alone, with any
 * tracks that are neither.
 */
export function isUnframed(lanes: readonly Lane[]): boolean {
  const codecs = lanes.map(({ description }) => description.codec)
  if (!codecs.some((codec) => UNFRAMED.has(codec))) return false
  const pictures = codecs.filter((codec) => PICTURES.has(codec))
  const sounds = codecs.filter((codec) => SOUNDS.has(codec))
  const others = lanes.filter(isExtra).length
  if (lanes.some((lane) => !isExtra(lane) && !recogniserOf(lane))) return false
  return (
    pictures.length === 1 && sounds.length <= 1 && pictures.length + sounds.length + others === codecs.length
  )
}

/** Whether units of a lane were found that carry no length: between others, nothing shows where one ends and the next begins. */
export function hasUnframed({ description, table }: Pick<Lane, 'description' | 'table'>): boolean {
  return UNFRAMED.has(description.codec) && table.length > 0
}

function isExtra({ description }: Lane): boolean {
  return description.kind === 'data' || description.kind === 'text'
}

/** The segmenter's tracks, by what they hold. */
export interface UnframedTracks {
  readonly picture: Track
  readonly sound: Track | undefined
  readonly extras: readonly Extra[]
}

/** The tracks of these lanes, which `isUnframed` holds of. */
export function unframedTracks(
  lanes: readonly Lane[],
  groups: readonly LaneGroup[],
  sample: Teacher,
  priors: readonly LanePrior[],
): UnframedTracks {
  const tracks = lanes
    .filter((lane) => !isExtra(lane))
    .map((lane) => trackOf(lane, groups[lane.group], sample))
  const picture = tracks.find(({ lane }) => PICTURES.has(lane.description.codec))
  if (!picture) throw new Error('no pictures among the tracks')
  const sound = tracks.find((track) => track !== picture)
  return { picture, sound, extras: extrasOf(lanes.filter(isExtra), priors, sample) }
}
