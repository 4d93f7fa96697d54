import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { PictureReport } from '../../model/photo.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import type { Movie } from './read/container.ts'

/** What became of the photo, whose raw picture lies (or lay) at a place of the damaged file. */
export function pictureReport(
  reader: ByteReader,
  { main, orientation }: Movie,
  place: Region,
  holes: readonly Region[],
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const { raw } = main
  const there = Math.max(0, reader.size - place.offset)
  const gone = holes.map(({ offset, length }) => ({
    from: offset - place.offset,
    to: offset + length - place.offset,
  }))
  if (there < place.length) gone.push({ from: there, to: place.length })
  return rawReport(
    {
      codec: 'CRX',
      width: raw.width,
      height: raw.height,
      orientation,
      layout: `${raw.tiles} tile${raw.tiles === 1 ? '' : 's'}`,
      offset: place.offset,
      length: place.length,
      gone,
    },
    rebuilt,
  )
}
