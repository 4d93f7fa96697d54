import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Region } from '../../../../bytes/regions.ts'
import { isWholeAvcC, parseAvcC } from '../../../../codecs/h264/avcc.ts'
import type { LooseSlice } from '../../../../codecs/h264/loose-slices.ts'
import { readsAs } from '../../../../codecs/h264/prove-sets.ts'
import { isWholeHvcC, parseHvcC, setPlaces } from '../../../../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../../../../codecs/hevc/prove-size.ts'
import { isReadable } from '../../../../codecs/hevc/slice-data/slice-reader.ts'
import { SAMPLE_KEY } from '../../../../model/sample-table.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { replaced } from './in-band-sets.ts'

/** Key pictures that prove a record, the smallest of the first ones, and the longest slice of them. */
const PICTURES = 2
const LOOKED_AT = 64
const MAX_SLICE = 1 << 18
/** Bytes of a record in front of its parameter sets: ISO/IEC 14496-15:2022 §5.3.3.1. */
const HEADER = 6
/** Bytes of a record that are searched: a few parameter sets. */
const MAX_SEARCHED = 128
/** Rows among which key pictures are looked for. */
const MOST_ROWS = 1 << 16
/** Bytes of slices read in vain: a second's work. */
const MOST_BYTES = 1 << 27
/** nal_unit_type of a slice of an IDR picture, ISO/IEC 14496-10:2022 Table 7-1. */
const IDR = 5

/** Key pictures that show whether a record is right. */
interface Proof {
  /** Bytes of the record that hold parameter sets. */
  readonly searched: readonly Region[]
  /** Bytes of the pictures. */
  readonly bytes: number
  /** Whether a record reads all of the pictures to their very ends. */
  proves(record: Uint8Array): boolean
}

/**
 * The track with the one bit of its parameter sets flipped with which its key pictures read to their very ends, where they do not as the
 * sets are. Undefined where they do, where no bit makes them, or where several would.
 */
export function withProvenBit(reader: ByteReader, track: MovieTrack): MovieTrack | undefined {
  const { codec, framing, config } = track.description
  if (framing !== 'length') return undefined
  const proof =
    codec === 'h264' ? proofOfAvc(reader, track) : codec === 'hevc' ? proofOfHevc(reader, track) : undefined
  if (!proof) return undefined
  const searched = proof.searched.reduce((sum, { length }) => sum + length, 0)
  if (searched > MAX_SEARCHED || proof.bytes * searched * 8 > MOST_BYTES || proof.proves(config))
    return undefined
  const found: Uint8Array[] = []
  for (const { offset, length } of proof.searched) {
    for (let bit = offset * 8; bit < (offset + length) * 8 && found.length < 2; bit++) {
      const record = config.with(bit >> 3, config[bit >> 3] ^ (0x80 >> (bit & 7)))
      if (proof.proves(record)) found.push(record)
    }
  }
  if (found.length !== 1) return undefined
  const [mended] = found
  return {
    ...track,
    description: { ...track.description, config: mended },
    sampleDescription: replaced(track.sampleDescription, config, mended),
    entries: track.entries.map((entry) => ({ ...entry, bytes: replaced(entry.bytes, config, mended) })),
  }
}

function proofOfAvc(reader: ByteReader, track: MovieTrack): Proof | undefined {
  const slices = keySlices(reader, track)
  if (slices.length === 0) return undefined
  return {
    searched: [{ offset: HEADER, length: Math.max(0, track.description.config.length - HEADER) }],
    bytes: slices.reduce((sum, { length }) => sum + length, 0),
    proves: (record) => {
      const sets = isWholeAvcC(record) ? parseAvcC(record) : undefined
      return sets !== undefined && slices.every((slice) => readsAs(reader, [slice], sets))
    },
  }
}

/** Undefined where the sets have tools that are not read: then nothing shows that they were hit. */
function proofOfHevc(reader: ByteReader, { samples, description }: MovieTrack): Proof | undefined {
  const own = parseHvcC(description.config)
  if (own?.sps.some((sps) => own.pps.some((pps) => !isReadable(sps, pps)))) return undefined
  const pictures: Region[] = []
  for (let row = 0; row < Math.min(samples.length, MOST_ROWS) && pictures.length < LOOKED_AT; row++) {
    const [offset, length] = [samples.offset[row], samples.size[row]]
    const isKey = (samples.flags[row] & SAMPLE_KEY) !== 0
    if (isKey && length <= MAX_SLICE && offset + length <= reader.size) pictures.push({ offset, length })
  }
  const shortest = pictures.sort((a, b) => a.length - b.length).slice(0, PICTURES)
  if (shortest.length === 0) return undefined
  return {
    searched: setPlaces(description.config),
    bytes: shortest.reduce((sum, { length }) => sum + length, 0),
    proves: (record) => {
      const sets = isWholeHvcC(record) ? parseHvcC(record) : undefined
      return sets !== undefined && shortest.every((picture) => readsAsHevc(reader, [picture], sets))
    },
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
