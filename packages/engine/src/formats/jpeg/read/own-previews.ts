import type { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { Preview } from '../../../photo/preview/preview.ts'
import { readPictureIndex } from './picture-index.ts'
import { decodePreview, picturesWithin } from './previews.ts'
import type { ReadPicture } from './read-picture.ts'

/** Where pictures that were stored with a photo are looked for: in its header, and behind it. */
export interface PreviewPlaces {
  readonly from: number
  readonly to: number
  readonly behind: number
}

/** Where those of a picture may be that was read. */
export function previewPlaces({ start, scans, end }: ReadPicture): PreviewPlaces {
  return { from: start + 2, to: scans[0].start, behind: end }
}

/**
 * The largest picture stored with the photo that is a small one of it; where none is but turned by a quarter, that turned either
 * way. Of those behind the photo, `sure` takes only what its index calls a thumbnail: others may show something else.
 */
export function ownPreviews(
  bytes: Uint8Array,
  { from, to, behind }: PreviewPlaces,
  layout: McuLayout,
  sure = false,
): readonly Preview[] {
  const { width, height, components } = layout
  const stored = [...picturesWithin(bytes, from, to), ...furtherPreviews(bytes, to, behind, sure)].filter(
    // what has fewer components than the photo is a map of it: of gains or depths
    ({ frame }) => frame.width * 2 <= width && frame.components.length >= components.length,
  )
  stored.sort((a, b) => b.frame.width - a.frame.width)
  let turned: readonly Preview[] = []
  for (const candidate of stored) {
    const planes = decodePreview(bytes, candidate)
    const preview = planes && Preview.of(planes, width, height)
    if (preview) return [preview]
    if (planes && turned.length === 0) turned = Preview.turned(planes, width, height)
  }
  return turned
}

/** Pictures behind a photo that may be smaller ones of it: those that its index calls so, without an index all. */
function furtherPreviews(bytes: Uint8Array, to: number, behind: number, sure: boolean): ReadPicture[] {
  const index = readPictureIndex([bytes.subarray(0, to)])
  if (!index && sure) return []
  const further = picturesWithin(bytes, behind, bytes.length)
  if (!index) return further
  const [, ...entries] = index.entries
  // Bytes lost in the photo move all behind it, so that only their order tells; where some are lost, only their places do.
  if (further.length === entries.length) return further.filter((_, i) => entries[i]?.thumbnail)
  const starts = new Set(entries.filter(({ thumbnail }) => thumbnail).map(({ offset }) => index.at + offset))
  return further.filter(({ start }) => starts.has(start))
}
