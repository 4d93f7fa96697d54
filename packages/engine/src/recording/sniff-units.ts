import type { ByteReader } from '../bytes/reader.ts'
import { isFiller } from '../bytes/zeros.ts'
import { codecNamed } from '../codecs/index.ts'
import { Unit } from '../codecs/recogniser.ts'
import type { SampleTable } from '../model/sample-table.ts'
import type { TrackDescription } from '../model/track.ts'

/** Codecs whose pictures say by themselves what they are and how long. */
const SELF_EVIDENT = ['dv', 'prores', 'dnxhd', 'aic', 'mpeg2video', 'mjpeg'] as const
/** Units looked at, and those of them that must be units of a codec: one or two may be damaged. */
const LOOKED_AT = 8
const FEWEST = 3
const MOSTLY = 0.75
/** Bits of structure of each. */
const CERTAIN = 40

/**
 * Codec of pictures whose code nobody knows, as cameras and editors have many for the same few codecs: that of which most of the
 * first units are whole ones to the byte. Undefined where none is.
 */
export function codecOfUnits(
  reader: ByteReader,
  track: TrackDescription,
  { offset, size, length }: SampleTable,
): string | undefined {
  const looked = Math.min(LOOKED_AT, length)
  if (looked < FEWEST) return undefined
  return SELF_EVIDENT.find((name) => {
    const recogniser = codecNamed(name)?.recogniser({ ...track, codec: name })
    const unit = new Unit()
    let whole = 0
    for (let row = 0; row < looked; row++) {
      const end = offset[row] + size[row]
      if (end > reader.size) continue
      recogniser?.learn?.(reader, offset[row], size[row])
      if (!recogniser?.recognise(reader, offset[row], end, unit) || unit.evidence < CERTAIN) continue
      if (unit.lengthKnown && isFiller(reader, offset[row] + unit.length, end)) whole++
    }
    return whole >= Math.max(FEWEST, looked * MOSTLY)
  })
}
