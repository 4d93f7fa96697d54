import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { filledBytes, isFiller, isZero } from '../../bytes/zeros.ts'
import { codecNamed } from '../../codecs/index.ts'
import { SAMPLE_DAMAGED } from '../../model/sample-table.ts'
import type { Carved, CarvedTrack } from '../../recovery/carve.ts'
import type { Hole } from '../../recovery/carving/assembler.ts'
import { swallowed } from '../../recovery/losses/swallowed-bytes.ts'
import { AccountedHoles } from './accounted-holes.ts'
import { BrokenOffUnits } from './broken-off-unit.ts'
import { explainsPayload } from './explained-share.ts'
import { remains } from './hole-remains.ts'
import { findPictureRests } from './picture-rests.ts'

/** What carving left over of the payload. */
export interface Unexplained {
  /**
   * Bytes in holes that are not zero, and that neither a unit which broke off with the file explains nor those that are known to
   * be lost there; those that damaged pictures swallowed.
   */
  readonly bytes: number
  /** They are enough to hide a unit of a track whose units nothing but their place tells, or of one that nobody knows of. */
  readonly hidesUnits: boolean
}

/**
 * Measures what carving left over, and flags the pictures whose rests it comes upon as damaged.
 * @param startsMedia whether the container begins its media at an offset: what lies there was the first that the recording wrote
 */
export function measureUnexplained(
  reader: ByteReader,
  carved: Carved,
  startsMedia: (offset: number) => boolean,
): Unexplained {
  let bytes = 0
  let foreign = false
  const brokenOff = new BrokenOffUnits(reader, carved.tracks)
  const lost = new AccountedHoles(reader, carved.tracks, brokenOff)
  const rests = findPictureRests(reader, carved)
  const isZeroHead = zeroHead(reader)
  for (const hole of carved.holes) {
    if (rests.has(hole)) continue
    const end = atEnd(reader, hole, brokenOff.depth)
    if (end && (end.length === 0 || brokenOff.isTorn(end))) continue
    if (isCutStart(reader, hole, brokenOff.depth, isZeroHead)) continue
    const first = startsMedia(hole.offset)
    const filled =
      !first && lost.accountsFor(hole) ? 0 : filledBytes(reader, hole.offset, hole.offset + hole.length)
    bytes += filled
    const strange = first || lost.isStrange(hole) || isStrangeEnd(reader, carved, hole, brokenOff)
    foreign ||= end !== undefined || (filled > 0 && strange)
  }
  for (const { description, table } of carved.tracks) {
    if (description.kind !== 'video' || description.framing === 'length') continue
    for (let row = 0; row < table.length; row++)
      if ((table.flags[row] & SAMPLE_DAMAGED) !== 0) bytes += swallowed(table, row)
  }
  const end = Math.max(0, ...carved.tracks.map(endOf))
  return { bytes, hidesUnits: foreign || carved.tracks.some((track) => mayHide(track, bytes, end)) }
}

/** True when nearly all of the payload is explained, and nothing of note can hide in the rest. */
export function explainsAll({ bytes, hidesUnits }: Unexplained, payload: readonly Region[]): boolean {
  return explainsPayload(bytes, payload) && !hidesUnits
}

/** Seconds at which the last unit of a track ends. */
function endOf({ description, table }: CarvedTrack): number {
  const last = table.length - 1
  return last < 0 ? 0 : (table.dts[last] + table.duration[last]) / description.timescale
}

/**
 * Whether so many bytes may hold units of a track without syntax that its missing ones are of note; none are missing where those
 * found last as long as the recording, as a time code's only one does, whose `end` is in seconds.
 */
function mayHide({ description, table, prior }: CarvedTrack, bytes: number, end: number): boolean {
  if (codecNamed(description.codec)?.recogniser(description)) return false
  let found = 0
  let units = 0
  for (let row = 0; row < table.length; row++) {
    found += table.size[row]
    units += table.count[row]
  }
  if (table.length > 0 && (units * prior.unitDuration) / description.timescale >= end) return false
  return (
    bytes >= Math.max(1, prior.unitBytes) && !explainsPayload(bytes, [{ offset: 0, length: found + bytes }])
  )
}

/**
 * True for bytes behind everything that was found which writers do not fill up with, and which are no unit that was hit further
 * on.
 */
function isStrangeEnd(
  reader: ByteReader,
  { tracks, filler }: Carved,
  hole: Hole,
  brokenOff: BrokenOffUnits,
): boolean {
  const { offset, length, rows } = hole
  if (length <= filler || tracks.some(({ table }, i) => (rows[i] ?? table.length) < table.length))
    return false
  if (isFiller(reader, offset, offset + length) || remains(reader, hole, length).front < length) return false
  return !brokenOff.isTorn(hole)
}

/** Zeros in front of what was found, and behind it, that are looked at. */
const ZEROED = 8 << 20

/**
 * Whether a hole in front of everything that was found is the rest of one unit whose beginning went with the head of the file, be
 * that cut away or zeros: whole ones in front of others would have been found. First pictures are often larger than all others.
 */
function isCutStart(
  reader: ByteReader,
  { offset, length, rows }: Hole,
  depth: number,
  isZeroHead: (until: number) => boolean,
): boolean {
  if (offset > ZEROED || rows.some((row) => row > 0) || !isZeroHead(offset)) return false
  const { front, middle, back } = remains(reader, { offset, length }, depth)
  return middle === 0 && (front === 0 || front === length) && Math.max(front, back) <= depth
}

/** Tells whether a file is zero up to an offset; each byte is looked at once. */
function zeroHead(reader: ByteReader): (until: number) => boolean {
  let zeros = 0
  let filledFrom = Number.POSITIVE_INFINITY
  return (until) => {
    if (until <= zeros) return true
    if (until >= filledFrom) return false
    if (isZero(reader, zeros, until)) zeros = until
    else filledFrom = until
    return zeros === until
  }
}

/** What a hole that reaches to the end of the file, or to zeros up to there, holds before zeros; undefined for other holes. */
function atEnd(reader: ByteReader, hole: Region, depth: number): Region | undefined {
  const behind = hole.offset + hole.length
  if (reader.size - behind > ZEROED || !isZero(reader, behind, reader.size)) return undefined
  const { front, middle, back } = remains(reader, hole, depth)
  return middle + back > 0 ? undefined : { offset: hole.offset, length: front }
}
