import type { ByteReader } from '../../../bytes/reader.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { type Box, bodyOf, childOf, readChildren } from '../../../syntax/iso-boxes/box.ts'
import {
  parseAuxiliaryOffsets,
  parseAuxiliarySizes,
  readAuxiliary,
  readSampleEncryption,
  SampleKeys,
} from '../boxes/sample-encryption.ts'
import type { SampleEntry } from '../boxes/stsd.ts'
import { codecName } from './codec-names.ts'
import type { TrackTables } from './movie.ts'
import type { Protection } from './protection.ts'

/** Sample entries of encrypted tracks, ISO/IEC 14496-12:2022 §8.12. */
const ENCRYPTED: ReadonlySet<string> = new Set(['encv', 'enca', 'enct', 'encs', 'encm', 'drmi', 'drms'])

export function isEncrypted(format: string | undefined): boolean {
  return format !== undefined && ENCRYPTED.has(format)
}

/** The protection of the first entry; undefined for tracks in the clear. */
export function protectionOf(reader: ByteReader, entry: SampleEntry | undefined): Protection | undefined {
  if (!entry || !isEncrypted(entry.format)) return undefined
  const scheme = childOf(entry.boxes, 'sinf')
  const info = scheme && childOf(readChildren(reader, bodyOf(scheme), scheme.end).boxes, 'schi')
  const track = info && childOf(readChildren(reader, bodyOf(info), info.end).boxes, 'tenc')
  const at = track ? bodyOf(track) + 7 : 0
  return { ivBytes: track && at < track.end ? reader.u8(at) : 0 }
}

/** Samples looked at for clear stretches. */
const LOOKED_AT = 64

/**
 * The description of an encrypted track with the way its NAL units are framed, where every sample lists clear stretches: then
 * lengths and headers of NAL units are among these, ISO/IEC 23001-7:2023 §9.5.2, and can be checked.
 */
export function withClearNals(
  reader: ByteReader,
  description: TrackDescription,
  entry: SampleEntry,
  { ivBytes }: Protection,
  keys: SampleKeys,
): TrackDescription {
  const scheme = childOf(entry.boxes, 'sinf')
  const original = scheme && childOf(readChildren(reader, bodyOf(scheme), scheme.end).boxes, 'frma')
  const codec = original ? codecName(reader.fourcc(bodyOf(original)), 0, description.kind === 'video') : ''
  if (codec !== 'h264' && codec !== 'hevc') return description
  for (let sample = 0; sample < Math.min(LOOKED_AT, keys.count); sample++)
    if (keys.of(sample).length <= ivBytes) return description
  if (keys.count === 0) return description
  return { ...description, framing: 'length', facts: { ...description.facts, protected: codec } }
}

/** Auxiliary information of a whole track's samples, where its boxes have some; `boxes` are those of `trak` and `stbl`. */
export function trackKeys(
  reader: ByteReader,
  boxes: readonly Box[],
  protection: Protection,
  tables: TrackTables,
): SampleKeys {
  const keys = new SampleKeys()
  const { sizes } = tables
  const most = sizes ? (sizes.constant > 0 ? sizes.count : sizes.sizes.length) : 0
  readKeys(reader, boxes, protection, most, 0, () => samplesByChunk(tables), keys)
  return keys
}

/** Times the samples of a fragment that its boxes may tell of: those of all fragments before it. */
const MOST_TOLD = 1 << 20

/**
 * Appends the auxiliary information of a track fragment's samples; `base` is where its offsets count from. Some writers repeat
 * that of all fragments before: then the last ones are its own.
 */
export function fragmentKeys(
  reader: ByteReader,
  boxes: readonly Box[],
  protection: Protection,
  added: number,
  base: number,
  runs: readonly number[],
  keys: SampleKeys,
): void {
  const before = keys.count
  const told = new SampleKeys()
  readKeys(reader, boxes, protection, MOST_TOLD, base, () => runs, told)
  for (let sample = Math.max(0, told.count - added); sample < told.count; sample++) keys.push(told.of(sample))
  keys.fillTo(before + added)
}

/**
 * A sample encryption box that adds up is believed before the offsets of auxiliary information: what these count from in a
 * fragment is another place to some writers than where its header says that data begins.
 */
function readKeys(
  reader: ByteReader,
  boxes: readonly Box[],
  { ivBytes }: Protection,
  most: number,
  base: number,
  runs: () => readonly number[],
  keys: SampleKeys,
): void {
  const sizesBox = childOf(boxes, 'saiz')
  const offsetsBox = childOf(boxes, 'saio')
  const own = childOf(boxes, 'senc')
  const inBox = new SampleKeys()
  const addsUp = own !== undefined && readSampleEncryption(reader, own, ivBytes, most, inBox)
  if (sizesBox && offsetsBox && !addsUp) {
    const offsets = parseAuxiliaryOffsets(reader, offsetsBox).map((offset) => base + offset)
    readAuxiliary(reader, parseAuxiliarySizes(reader, sizesBox, most), offsets, runs(), keys)
    return
  }
  for (let sample = 0; sample < inBox.count; sample++) keys.push(inBox.of(sample))
}

/** Samples of each chunk, as far as the tables tell. */
function samplesByChunk({ sampleToChunk, chunkOffsets }: TrackTables): number[] {
  const counts: number[] = []
  const chunks = chunkOffsets?.length ?? 0
  if (!sampleToChunk) return counts
  for (let run = 0; run < sampleToChunk.length; run++) {
    const until = run + 1 < sampleToChunk.length ? sampleToChunk.firstChunk[run + 1] - 1 : chunks
    while (counts.length < Math.min(until, chunks)) counts.push(sampleToChunk.samples[run])
  }
  return counts
}
