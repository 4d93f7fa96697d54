import type { ByteReader } from '../bytes/reader.ts'
import { mergeRegions, type Region } from '../bytes/regions.ts'
import { isWholeAvcC, parseAvcC, withOwnCounts } from '../codecs/h264/avcc.ts'
import type { LooseSlice } from '../codecs/h264/loose-slices.ts'
import { readsAs } from '../codecs/h264/prove-sets.ts'
import { countPlaces, isWholeHvcC, parseHvcC, setPlaces } from '../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../codecs/hevc/prove-size.ts'
import { isReadable } from '../codecs/hevc/slice-data/slice-reader.ts'
import { Allowance } from '../model/allowance.ts'
import type { TrackDescription } from '../model/track.ts'

/** Key pictures that prove a record, the smallest of the first ones, and the longest slice of them. */
const PICTURES = 2
const LOOKED_AT = 64
const MAX_SLICE = 1 << 18
/** Bytes of a record in front of its parameter sets: ISO/IEC 14496-15:2022 §5.3.3.1. */
const HEADER = 6
/** Bytes of a record that are searched: a few parameter sets. */
const MAX_SEARCHED = 128
/** Bytes of slices read in vain: a second's work. */
const MOST_BYTES = 1 << 27
/** Steps of all searches that one takes: nearly every reading in vain ends soon behind its first byte. */
const BYTE_PRICE = 1 / 4
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

/** What key pictures say of the record of parameter sets that stands beside them. */
export interface RecordReading {
  /** They read to their very ends as it is. */
  readonly reads: boolean
  /**
   * The record with its own counts of sets, or with one bit flipped as well, with which they do; undefined where no bit makes
   * them, or several would.
   */
  readonly mended?: Uint8Array
}

/**
 * Whether a record names no sequence or no picture parameter set that can be read: none is there, or what it counts leads astray.
 */
export function lacksSets(codec: string, config: Uint8Array): boolean {
  const sets =
    codec === 'h264' ? parseAvcC(config) : codec === 'hevc' ? parseHvcC(config) : { sps: [1], pps: [1] }
  return !sets?.sps.length || !sets.pps.length
}

/** What may be read in vain for all tracks of a recording. */
export function recordWork({ work }: ByteReader): Allowance {
  return new Allowance(MOST_BYTES, work, BYTE_PRICE)
}

/**
 * Reads key pictures with a track's record of parameter sets, of which a bit may have flipped. Undefined where none can be read.
 * @param work bytes that may be read in vain, which tracks of one recording share
 */
export function readRecord(
  reader: ByteReader,
  track: Pick<TrackDescription, 'codec' | 'framing' | 'config'>,
  keys: Iterable<Region>,
  work = recordWork(reader),
): RecordReading | undefined {
  const { codec, framing } = track
  const config = codec === 'h264' ? withOwnCounts(track.config) : track.config
  if (framing !== 'length' || (codec !== 'h264' && codec !== 'hevc')) return undefined
  const looked = firstOf(keys)
  const proof = codec === 'h264' ? proofOfAvc(reader, config, looked) : proofOfHevc(reader, config, looked)
  if (!proof) return undefined
  if (proof.proves(config))
    return config === track.config ? { reads: true } : { reads: false, mended: config }
  const searched = proof.searched.reduce((sum, { length }) => sum + length, 0)
  const bytes = proof.bytes * searched * 8
  if (searched > MAX_SEARCHED || bytes > MOST_BYTES || !work.take(bytes)) return { reads: false }
  const found: Uint8Array[] = []
  for (const { offset, length } of proof.searched) {
    for (let bit = offset * 8; bit < (offset + length) * 8 && found.length < 2; bit++) {
      const record = config.with(bit >> 3, config[bit >> 3] ^ (0x80 >> (bit & 7)))
      if (proof.proves(record)) found.push(record)
    }
  }
  return { reads: false, ...(found.length === 1 ? { mended: found[0] } : {}) }
}

function firstOf(keys: Iterable<Region>): Region[] {
  const looked: Region[] = []
  for (const key of keys) {
    if (looked.length >= LOOKED_AT) break
    looked.push(key)
  }
  return looked
}

function proofOfAvc(reader: ByteReader, config: Uint8Array, keys: readonly Region[]): Proof | undefined {
  const slices = keySlices(reader, keys)
  if (slices.length === 0) return undefined
  const known = slices.map(() => new Map<string, boolean>())
  return {
    searched: [{ offset: HEADER, length: Math.max(0, config.length - HEADER) }],
    bytes: slices.reduce((sum, { length }) => sum + length, 0),
    proves: (record) => {
      const sets = isWholeAvcC(record) ? parseAvcC(record) : undefined
      return sets !== undefined && slices.every((slice, i) => readsAs(reader, [slice], sets, known[i]))
    },
  }
}

/** Undefined where the sets have tools that are not read: then nothing shows that they were hit. */
function proofOfHevc(reader: ByteReader, config: Uint8Array, keys: readonly Region[]): Proof | undefined {
  const own = parseHvcC(config)
  if (own?.sps.some((sps) => own.pps.some((pps) => !isReadable(sps, pps)))) return undefined
  const shortest = keys
    .filter(({ offset, length }) => length <= MAX_SLICE && offset + length <= reader.size)
    .sort((a, b) => a.length - b.length)
    .slice(0, PICTURES)
  if (shortest.length === 0) return undefined
  return {
    searched: mergeRegions([...setPlaces(config), ...(lacksSets('hevc', config) ? countPlaces(config) : [])]),
    bytes: shortest.reduce((sum, { length }) => sum + length, 0),
    proves: (record) => {
      const sets = isWholeHvcC(record) ? parseHvcC(record) : undefined
      return sets !== undefined && shortest.every((picture) => readsAsHevc(reader, [picture], sets))
    },
  }
}

/** The first slices of key pictures, the shortest ones. */
function keySlices(reader: ByteReader, keys: readonly Region[]): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (const { offset, length: size } of keys) {
    const end = Math.min(reader.size, offset + size)
    for (let at = offset; at + 6 <= end; ) {
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
