import type { IfdEntry } from '../../../syntax/tiff-ifd/ifd.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import type { Structure } from './structure.ts'

/** Fields whose missing values are told of as missing strips and tiles. */
const OF_UNITS: readonly number[] = [
  TAG.stripOffsets,
  TAG.stripByteCounts,
  TAG.tileOffsets,
  TAG.tileByteCounts,
]

/** Fields whose values end behind the end of the file, those of strips and tiles left out. */
export function cutValues({ reader }: TiffNumbers, { directories }: Structure): readonly IfdEntry[] {
  return directories.flatMap(({ entries }) =>
    [...entries.values()].filter(
      ({ tag, inline, valueAt, bytes }) =>
        !inline && valueAt + bytes > reader.size && !OF_UNITS.includes(tag),
    ),
  )
}
