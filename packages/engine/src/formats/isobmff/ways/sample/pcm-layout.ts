import type { Region } from '../../../../bytes/regions.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import { sweep } from '../../../../recording/deduce/sweep.ts'
import type { Ground } from '../../../../recording/deduce/trial.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Teacher } from '../carve-file.ts'
import { draftLike } from './picture-rate.ts'

/** Pictures and gaps between them that tell, at least. */
const FEWEST_GAPS = 6
/** Times as long as most gaps those are in which pictures are missing. */
const TOO_LONG = 1.5
/** Share by which gaps that are even differ, and sound that comes with a picture, or lies in even gaps, may be more or less. */
const EVEN = 0.01
const AS_MUCH = 0.04
/** Times by which chunks of it may be longer or shorter. */
const AS_LONG = 1.3

/**
 * Whether another number of bytes lies between the pictures of the damaged file than between the sample's, all of whose sound is
 * plain: then it is of another rate, or has more or fewer channels or tracks, or lies in other chunks. False where that is not
 * told.
 */
export async function hasOtherPlainSound(
  ground: Ground,
  near: readonly Region[],
  sample: Teacher,
  picture: MovieTrack,
): Promise<boolean> {
  const sounds = sample.tracks.filter(({ description }) => description.kind === 'audio')
  if (sounds.length === 0 || sounds.some(({ description }) => description.codec !== 'pcm')) return false
  const found = await sweep(ground, near, draftLike(picture))
  const ours = found && gapsOf(found.table)
  const theirs = gapsOf(picture.samples)
  if (!ours || !theirs) return false
  const longer = ours.usual / theirs.usual
  if (ours.isEven && theirs.isEven) return Math.abs(longer - 1) > AS_MUCH
  const more = ours.bytesAPicture / theirs.bytesAPicture
  return Math.abs(more - 1) > AS_MUCH || Math.max(longer, 1 / longer) > AS_LONG
}

interface Gaps {
  /** Bytes of most gaps, and those that come with a picture. */
  readonly usual: number
  /** Most gaps are as long as that. */
  readonly isEven: boolean
  readonly bytesAPicture: number
}

/** What lies between a track's pictures; undefined where there are few gaps. */
function gapsOf({ offset, size, length }: SampleTable): Gaps | undefined {
  const gaps: { bytes: number; pictures: number }[] = []
  let pictures = 0
  for (let row = 1; row < length; row++) {
    const bytes = offset[row] - offset[row - 1] - size[row - 1]
    pictures++
    if (bytes <= 0) continue
    gaps.push({ bytes, pictures })
    pictures = 0
  }
  // how many pictures came before the first one is not known
  gaps.shift()
  if (gaps.length < FEWEST_GAPS) return undefined
  const usual = gaps.map(({ bytes }) => bytes).sort((a, b) => a - b)[gaps.length >> 1]
  const told = gaps.filter(({ bytes }) => bytes < usual * TOO_LONG)
  const bytes = told.reduce((sum, gap) => sum + gap.bytes, 0)
  const even = gaps.filter((gap) => Math.abs(gap.bytes / usual - 1) < EVEN)
  const isEven = even.length > gaps.length / 2
  return { usual, isEven, bytesAPicture: bytes / told.reduce((sum, gap) => sum + gap.pictures, 0) }
}
