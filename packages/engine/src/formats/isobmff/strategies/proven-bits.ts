import type { ByteReader } from '../../../bytes/reader.ts'
import { isWholeAvcC, parseAvcC } from '../../../codecs/h264/avcc.ts'
import type { LooseSlice } from '../../../codecs/h264/loose-slices.ts'
import { readsAs } from '../../../codecs/h264/prove-sets.ts'
import { SAMPLE_KEY } from '../../../model/sample-table.ts'
import type { MovieTrack } from '../movie.ts'
import { replaced } from './own-sets.ts'

/** Key pictures that prove a record, the smallest of the first ones, and the longest slice of them. */
const PICTURES = 2
const LOOKED_AT = 64
const MAX_SLICE = 1 << 18
/** Bytes of a record in front of its parameter sets: ISO/IEC 14496-15:2022 §5.3.3.1. */
const HEADER = 6
/** Bytes of a record that is searched: a few parameter sets. */
const MAX_RECORD = 128
/** Bytes of slices read in vain: a second's work. */
const MOST_BYTES = 1 << 27
/** nal_unit_type of a slice of an IDR picture, ISO/IEC 14496-10:2022 Table 7-1. */
const IDR = 5

/**
 * The track with the one bit of its parameter sets flipped with which its key pictures read to their very ends, where they do not as the
 * sets are. Undefined where they do, where no bit makes them, or where several would.
 */
export function withProvenBit(reader: ByteReader, track: MovieTrack): MovieTrack | undefined {
  const { description } = track
  const { codec, framing, config } = description
  if (codec !== 'h264' || framing !== 'length' || config.length > MAX_RECORD) return undefined
  const slices = keySlices(reader, track)
  const proves = (record: Uint8Array): boolean => {
    const sets = isWholeAvcC(record) ? parseAvcC(record) : undefined
    return sets !== undefined && slices.every((slice) => readsAs(reader, [slice], sets))
  }
  const bytes = slices.reduce((sum, { length }) => sum + length, 0)
  if (slices.length === 0 || bytes * config.length * 8 > MOST_BYTES || proves(config)) return undefined
  const found: Uint8Array[] = []
  for (let bit = HEADER * 8; bit < config.length * 8 && found.length < 2; bit++) {
    const record = config.slice()
    record[bit >> 3] ^= 0x80 >> (bit & 7)
    if (proves(record)) found.push(record)
  }
  if (found.length !== 1) return undefined
  const [mended] = found
  return {
    ...track,
    description: { ...description, config: mended },
    sampleDescription: replaced(track.sampleDescription, config, mended),
    entries: track.entries.map((entry) => ({ ...entry, bytes: replaced(entry.bytes, config, mended) })),
  }
}

/** The first slices of key pictures, the shortest ones. */
function keySlices(reader: ByteReader, { samples }: MovieTrack): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (let row = 0; row < samples.length && slices.length < LOOKED_AT; row++) {
    if ((samples.flags[row] & SAMPLE_KEY) === 0) continue
    const end = Math.min(reader.size, samples.offset[row] + samples.size[row])
    for (let at = samples.offset[row]; at + 6 <= end; ) {
      const length = reader.u32(at)
      if (length < 2 || at + 4 + length > end) break
      if ((reader.u8(at + 4) & 31) === IDR) {
        if (length <= MAX_SLICE) slices.push({ offset: at + 4, length, intra: true, idr: true })
        break
      }
      at += 4 + length
    }
  }
  return slices.sort((a, b) => a.length - b.length).slice(0, PICTURES)
}
