import { DECODER_BYTES, type Decoder } from '../../model/decoder.ts'
import type { Monitor } from '../../model/monitor.ts'

/** Damaged pictures of a file that are weighed, the first of each track: every one is decoded twice with what refers to it. */
export const MOST_WEIGHED = 8
/** Pictures, and bytes of them, that are decoded to weigh one: from a key picture before it to one some way behind it. */
const MOST_PICTURES = 300
const MOST_BYTES = 16 * 1024 * 1024
/** Key pictures behind a damaged one up to which it is looked whether it disturbs others: what a decoder keeps is gone then. */
const KEYS_BEHIND = 2

/** Pictures of one track by their numbers, from 0 on in decoding order. */
export interface WeighedTrack {
  readonly pictures: number
  /** Those to be weighed, in order. */
  readonly damaged: readonly number[]
  /** A key picture that is whole. */
  isKey(picture: number): boolean
  /** Bytes. */
  size(picture: number): number
  /** A file with these pictures alone; undefined where it would be too long. */
  write(
    pictures: readonly number[],
  ): Promise<{ readonly bytes: Uint8Array; readonly extension: string } | undefined>
}

/**
 * The damaged pictures that disturb others more by being there than by being gone: what a decoder makes of their surroundings
 * with and without them decides.
 */
export async function disturbingPictures(
  track: WeighedTrack,
  decoder: Decoder,
  monitor: Monitor,
): Promise<ReadonlySet<number>> {
  const out = new Set<number>()
  for (const picture of track.damaged) {
    const around = surroundings(track, picture).filter((other) => !out.has(other))
    const without = around.filter((other) => other !== picture)
    const there = await disturbed(track, decoder, around)
    if (there === undefined) break
    const gone = without.length > 0 ? await disturbed(track, decoder, without) : undefined
    // the picture itself is lost then
    if (gone !== undefined && gone + 1 < there) out.add(picture)
    await monitor.pause()
  }
  return out
}

/** The pictures from the key picture before a damaged one to a key picture behind it. */
function surroundings(track: WeighedTrack, picture: number): number[] {
  let start = picture
  let bytes = track.size(picture)
  const fits = (other: number, count: number): boolean => {
    bytes += track.size(other)
    return bytes <= MOST_BYTES && count < MOST_PICTURES
  }
  while (start > 0 && fits(start - 1, picture - start)) {
    start--
    if (track.isKey(start)) break
  }
  let end = picture + 1
  for (let keys = 0; end < track.pictures && fits(end, end - start); end++)
    if (track.isKey(end) && ++keys > KEYS_BEHIND) break
  return Array.from({ length: end - start }, (_, at) => start + at)
}

/** Pictures of these that do not decode as they should, or not at all; undefined where no decoder can tell. */
async function disturbed(
  track: WeighedTrack,
  decoder: Decoder,
  pictures: readonly number[],
): Promise<number | undefined> {
  const file = await track.write(pictures)
  if (!file || file.bytes.length > DECODER_BYTES) return undefined
  const decoded = await decoder.decode(file.bytes, file.extension)
  if (!decoded.checked) return undefined
  // beside the film there may be a cover, which is a track of one picture
  const [video] = decoded.tracks.filter(({ kind }) => kind === 'video').sort((a, b) => b.packets - a.packets)
  if (!video || video.unchecked) return undefined
  const flawed = video.faults?.reduce((sum, { units }) => sum + units, 0) ?? video.errors
  return flawed + Math.max(0, pictures.length - video.frames)
}
