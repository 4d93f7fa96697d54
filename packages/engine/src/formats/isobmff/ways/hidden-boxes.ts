import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { findSwallowed } from '../read/survey.ts'
import type { Teacher } from './carve-file.ts'

/** Bytes before a hole that are looked at as well: a box header's length. */
const HEADER = 8

/**
 * Whether carving by this teacher takes no byte that is not a unit's own: every track has syntax, and its units tell their
 * lengths. Then a movie box within the payload can only lie in a hole, and there is no need to search the whole of it.
 */
export function carvesExactly(teacher: Teacher): boolean {
  const unit = new Unit()
  return teacher.tracks.every(({ description, samples }) => {
    const recogniser = codecNamed(description.codec)?.recogniser(description)
    if (!recogniser?.selfDelimiting || samples.length === 0) return false
    const [offset, size] = [samples.offset[0], samples.size[0]]
    return recogniser.recognise(teacher.reader, offset, offset + size, unit) && unit.lengthKnown
  })
}

/**
 * Whether a movie box, a track whose movie box lost its header, or a fragment starts in one of the holes. Time in proportion to
 * their bytes.
 */
export async function hidesBoxes(
  reader: ByteReader,
  holes: readonly Region[],
  monitor: Monitor,
): Promise<boolean> {
  const regions = holes.map(({ offset, length }) => {
    const from = Math.max(0, offset - HEADER)
    return { offset: from, length: offset + length - from }
  })
  return (await findSwallowed(reader, regions, monitor)).length > 0
}
