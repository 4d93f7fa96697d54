import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { assess as assessHeif } from '../../src/formats/heif/assess.ts'
import { assess as assessTiff } from '../../src/formats/tiff/assess.ts'
import { mainImage } from '../../src/formats/tiff/report.ts'
import { SILENT } from '../../src/model/monitor.ts'
import type { ByteRange } from './survivors.ts'

/** Where a photo's structures and the units of its main picture (strips, tiles) lie. */
export interface PhotoParts {
  readonly healthy: boolean
  readonly structures: readonly ByteRange[]
  /** Of one unit in several parts, all of them. */
  readonly units: readonly (readonly ByteRange[])[]
  /** Size before it is turned, coding and number of units, in words that can be compared. */
  readonly shape: string
}

/** The parts of a HEIF or AVIF photo; undefined where its structures tell of no picture. */
export async function heifParts(bytes: Uint8Array): Promise<PhotoParts | undefined> {
  const reader = new ByteReader(new MemorySource(bytes))
  const { fileType, meta, picture, healthy } = await assessHeif(reader, DEFAULT_LIMITS, SILENT)
  if (!meta || !picture) return undefined
  const boxes = [fileType, meta.box].flatMap((box) => box ?? [])
  const { width, height, codec, tiles } = picture
  return {
    healthy,
    structures: boxes.map(({ offset, end }): ByteRange => [offset, end]),
    units: tiles.map(({ item }) =>
      item.extents.map(({ offset, length }): ByteRange => [offset, offset + length]),
    ),
    shape: `${width}x${height} ${codec} tiles ${tiles.length}`,
  }
}

/** The parts of a TIFF file or of a raw photo built as one; undefined where no directory describes a picture. */
export async function tiffParts(bytes: Uint8Array): Promise<PhotoParts | undefined> {
  const reader = new ByteReader(new MemorySource(bytes))
  const { images, structure, healthy } = await assessTiff(reader, DEFAULT_LIMITS, SILENT)
  const main = mainImage(images)
  if (!main || !structure) return undefined
  const { width, height, compression } = main.image
  return {
    healthy,
    structures: structure.directories.map(({ offset, end }): ByteRange => [offset, end]),
    units: main.units.map(({ unit }) => [[unit.offset, unit.offset + unit.bytes]]),
    shape: `${width}x${height} compression ${compression} units ${main.units.length}`,
  }
}
