import type { ByteReader } from '../../bytes/reader.ts'
import { SAMPLE_DAMAGED, type SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Carved, CarvedTrack } from '../../recovery/carve.ts'
import type { Hole } from '../../recovery/carving/assembler.ts'
import { nalChain, nalLengthSize } from '../nal-chain.ts'

/** Rows on each side of a picture that tell how many slices its encoder writes, and as many as must agree. */
const AROUND = 8
const LEAST_AGREEING = 6
/** Slices a picture may have, ITU-T H.265 (08/2021) Table A.8; those of H.264 are fewer. */
const MOST_SLICES = 600

/**
 * Holes that hold nothing but the rest of a picture of several slices whose bytes were hit: where a slice lost some, its length
 * leads astray, and those behind it stay in the hole. Pictures in front of such holes are flagged as damaged.
 *
 * Two things show it: the picture in front of the hole has fewer slices than every one around it, or the hole ends in whole
 * slices which go on with a picture.
 */
export function findPictureRests(reader: ByteReader, { tracks, holes }: Carved): ReadonlySet<Hole> {
  const rests = new Set<Hole>()
  for (const [lane, track] of tracks.entries()) {
    if (!isSliced(track.description)) continue
    const largest = largestOf(track.table)
    for (const hole of holes) {
      if (hole.length > largest) continue
      const row = rowInFront(track.table, hole, lane)
      const misses = row >= 0 && missesSlices(reader, track, row)
      if (!misses && !endsInSlices(reader, track.description, hole)) continue
      rests.add(hole)
      if (row >= 0) track.table.flags[row] |= SAMPLE_DAMAGED
    }
  }
  return rests
}

function isSliced({ kind, framing, codec }: TrackDescription): boolean {
  return kind === 'video' && framing === 'length' && (codec === 'h264' || codec === 'hevc')
}

function largestOf(table: SampleTable): number {
  let largest = 0
  for (let row = 0; row < table.length; row++) largest = Math.max(largest, table.size[row])
  return largest
}

/** The row that ends where a hole begins; -1 without one. */
function rowInFront(table: SampleTable, hole: Hole, lane: number): number {
  const row = (hole.rows[lane] ?? 0) - 1
  return row >= 0 && table.offset[row] + table.size[row] === hole.offset ? row : -1
}

/** Whether a picture has fewer slices than all those around it, which have equally many. */
function missesSlices(reader: ByteReader, { description, table }: CarvedTrack, row: number): boolean {
  const own = slicesOf(reader, description, table, row)
  let usual = 0
  let agreeing = 0
  for (let i = Math.max(0, row - AROUND); i < Math.min(table.length, row + AROUND + 1); i++) {
    if (i === row || (table.flags[i] & SAMPLE_DAMAGED) !== 0) continue
    const slices = slicesOf(reader, description, table, i)
    // another picture may have been hit, too
    if (slices < usual && slices <= own) continue
    if (usual > 0 && slices !== usual) return false
    usual = slices
    agreeing++
  }
  return agreeing >= LEAST_AGREEING && own > 0 && own < usual
}

/** Slices of a sample, up to the first NAL unit that leads beyond it. */
function slicesOf(
  reader: ByteReader,
  description: TrackDescription,
  table: SampleTable,
  row: number,
): number {
  const lengthSize = nalLengthSize(description)
  const end = table.offset[row] + table.size[row]
  let slices = 0
  for (let at = table.offset[row]; at + lengthSize < end && slices < MOST_SLICES; ) {
    if (isSlice(description.codec, reader.u8(at + lengthSize))) slices++
    at += lengthSize + lengthAt(reader, at, lengthSize)
  }
  return slices
}

/** Whether behind bytes that are none, whole slices of a picture that has others before them reach to the end of a hole. */
function endsInSlices(reader: ByteReader, description: TrackDescription, { offset, length }: Hole): boolean {
  const { codec } = description
  const lengthSize = nalLengthSize(description)
  const end = offset + length
  const shortest = codec === 'h264' ? 2 : 3
  for (let at = offset + 1; at + lengthSize + shortest < end; at++) {
    if (at + lengthSize + lengthAt(reader, at, lengthSize) > end) continue
    if (!continuesPicture(reader, codec, at + lengthSize)) continue
    if (nalChain(reader, codec, lengthSize, at, end - at) === end - at) return true
  }
  return false
}

function lengthAt(reader: ByteReader, at: number, lengthSize: number): number {
  let length = 0
  for (let i = 0; i < lengthSize; i++) length = length * 256 + reader.u8(at + i)
  return length
}

/** By the first byte of a NAL unit's header, ITU-T H.264 (08/2021) Table 7-1 and H.265 (08/2021) Table 7-1. */
function isSlice(codec: string, header: number): boolean {
  if (codec === 'hevc') return header >> 1 < 32
  const type = header & 31
  return type === 1 || type === 5
}

/**
 * A slice whose first macroblock is not the picture's, ITU-T H.264 §7.3.3, or no first slice segment, H.265 §7.3.6.1: the bit is
 * zero.
 */
function continuesPicture(reader: ByteReader, codec: string, at: number): boolean {
  return isSlice(codec, reader.u8(at)) && (reader.u8(at + (codec === 'hevc' ? 2 : 1)) & 0x80) === 0
}
