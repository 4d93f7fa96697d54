import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { parseAvcC } from '../../../codecs/h264/avcc.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import type { DraftTrack } from '../../../recording/draft.ts'
import { bodyOf, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { pictureEntry } from '../boxes/sample-entries.ts'
import type { MovieTrack } from '../read/movie.ts'
import { boxesOf, draftMovie, editsOf, FAMILY, handlerOf, type TrackBoxes } from './draft-movie.ts'

/** Boxes that say how pictures are coded, which the payload itself says better. */
const CODING: ReadonlySet<string> = new Set(['avcC', 'hvcC', 'btrt'])

/** A track with its pictures coded as another says; other boxes of its sample entry stay where the codec is the same. */
export function withPictures(own: DraftTrack, found: DraftTrack): DraftTrack {
  const before = drawn(own)
  const after = drawn(found)
  const [entry] = after?.entries ?? []
  if (!before || !after || !entry) return own
  const same = before.description.codec === after.description.codec
  // cameras show less than they code without saying so in the bitstream: kept where the coded size is the same
  const coded = codedSize(after)
  const sameCoded = same && coded !== '' && codedSize(before) === coded
  const width = sameCoded ? (own.width ?? 0) : (found.width ?? 0)
  const height = sameCoded ? (own.height ?? 0) : (found.height ?? 0)
  const told = childBoxes(entry.bytes)
  const isTold = (type: string): boolean => CODING.has(type) || told.some(([other]) => other === type)
  const kept = same ? childBoxes(before.entries[0]?.bytes).filter(([type]) => !isTold(type)) : []
  const format = same ? (before.entries[0]?.format ?? entry.format) : entry.format
  const boxes = [...kept, ...told]
  const edits = editsOf(own) ?? editsOf(found)
  const verbatim: TrackBoxes = {
    ...boxesOf(own),
    family: FAMILY,
    handler: handlerOf(own),
    entry: pictureEntry({ format, width, height, boxes }),
    ...(edits ? { edits } : {}),
  }
  return { ...own, verbatim, width, height }
}

function drawn(track: DraftTrack): MovieTrack | undefined {
  return draftMovie({ tracks: [track] })?.movie.tracks[0]
}

/**
 * Samples coded a picture, as the configuration's parameter sets say; empty when it has none: then pictures themselves say it.
 */
function codedSize(track: MovieTrack): string {
  const { codec, config } = track.description
  if (codec === 'h264') {
    const sps = parseAvcC(config)?.sps[0]
    return sps ? `${sps.widthInMbs}x${sps.heightInMbs}` : ''
  }
  const sps = codec === 'hevc' ? parseHvcC(config)?.sps[0] : undefined
  return sps ? `${sps.codedWidth}x${sps.codedHeight}` : ''
}

/** Header and fixed fields of a visual sample entry. */
const VISUAL_FIXED = 86

/** Boxes behind the fixed fields of a visual sample entry: type and body. */
function childBoxes(entry: Uint8Array | undefined): (readonly [string, Uint8Array])[] {
  if (!entry) return []
  const reader = new ByteReader(new MemorySource(entry))
  return readChildren(reader, VISUAL_FIXED, entry.length).boxes.map((box) => [
    box.type,
    entry.subarray(bodyOf(box), box.end),
  ])
}
