import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import { TemporalUnit, walkTemporalUnit } from '../../../codecs/av1/temporal-unit.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { FoundPicture } from './find-pictures.ts'

/**
 * Header bytes of what a picture of its own begins with, AV1 specification §5.3: a delimiter, or a sequence header, with its
 * size.
 */
const DELIMITER = 0x12
const SEQUENCE_HEADER = 0x0a
const MOST_FOUND = 70_000
/** Bits by which a picture is less likely to be chance: a sequence header and a frame. */
const ENOUGH = 16

/**
 * Looks for AV1 pictures that bring their sequence header along, as every item of a HEIF file does: AV1 Image File Format §2.1.
 */
export async function findAv1Pictures(
  reader: ByteReader,
  monitor: Monitor,
): Promise<readonly FoundPicture[]> {
  const found: FoundPicture[] = []
  const unit = new TemporalUnit()
  for (let at = next(reader, 0); at < reader.size && found.length < MOST_FOUND; ) {
    const end = walkTemporalUnit(reader, at, reader.size, reader.size, undefined, unit)
    if (end > at && unit.key && unit.sequence && unit.evidence >= ENOUGH) {
      found.push({ offset: at, length: end - at, whole: true })
      at = next(reader, end)
    } else at = next(reader, at + 1)
    monitor.progress('survey', Math.min(1, at / reader.size))
    await monitor.pause()
  }
  return found
}

/** The next place where a picture may begin: at or behind an offset. */
function next(reader: ByteReader, from: number): number {
  for (const { at, bytes, length } of searchPieces(reader, from, reader.size, 1))
    for (let i = 0; i < length; i++)
      if (bytes[i] === SEQUENCE_HEADER || (bytes[i] === DELIMITER && bytes[i + 1] === 0)) return at + i
  return reader.size
}
