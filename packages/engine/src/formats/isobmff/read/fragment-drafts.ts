import type { ByteReader } from '../../../bytes/reader.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import {
  type Box,
  bodyOf,
  childOf,
  flagsOf,
  isCut,
  readBox,
  readChildren,
} from '../../../syntax/iso-boxes/box.ts'
import {
  mendedHeaderFlags,
  parseDecodeTime,
  parseTrackFragmentHeader,
  type TrackFragmentHeader,
} from '../boxes/tfhd.ts'
import { parseTrackRun } from '../boxes/trun.ts'
import { fragmentBroken } from '../findings.ts'
import { mendBoxes } from '../mend/boxes.ts'
import { Fragments, type Payload } from './fragments.ts'

/** Boxes of unusual fragments, in any file and in one of so many bytes, that are looked at for flipped bits. */
const MENDED_BOXES = 5_000
const BYTES_A_MENDED_BOX = 1 << 13

/** Bytes of a box's header whose size is written in 32 bits, and the type of media data. */
const PLAIN_HEADER = 8
const MEDIA_DATA = 0x6d646174

/** Reads fragments as far as their boxes can be read; flipped bits in headers of boxes are mended. */
export function readDrafts(reader: ByteReader, boxes: readonly Box[], findings: Findings): Fragments {
  const usual = usualFlags(reader, boxes)
  const headers = new Map<number, TrackFragmentHeader>()
  const fragments = new Fragments(boxes)
  const numbers = new Float64Array(boxes.length)
  const work = new Allowance(MENDED_BOXES + Math.floor(reader.size / BYTES_A_MENDED_BOX))
  for (const [i, moof] of boxes.entries()) {
    const { reader: mended, children, parts } = readMoof(reader, moof, findings, work)
    const header = childOf(children, 'mfhd')
    numbers[i] = header && header.end - bodyOf(header) >= 8 ? mended.u32(bodyOf(header) + 4) : -1
    fragments.addFragment(payloadOf(reader, moof))
    for (const { traf, boxes } of parts) addPart(mended, traf, boxes, usual, headers, fragments, findings)
  }
  noteMissing(numbers, fragments.missing)
  return fragments
}

/**
 * Fragments that sequence numbers skip before each, -1 where there is no number. One that the next does not go on from was hit.
 */
function noteMissing(numbers: Float64Array, into: Float64Array): void {
  let sequence = -1
  for (const [i, number] of numbers.entries()) {
    if (number < 0) continue
    const missing = sequence >= 0 && number > sequence + 1 ? number - sequence - 1 : 0
    const next = numbers[i + 1] ?? -1
    if (missing > 0 && next >= 0 && next <= number) continue
    sequence = number
    into[i] = missing
  }
}

interface UsualFlags {
  readonly tfhd: ReadonlySet<number>
  readonly trun: ReadonlySet<number>
}

/** Boxes that have the same flags, so that these are no chance. */
const SEVERAL = 3
/** Fragments looked at for that. */
const LOOKED_AT = 256

function usualFlags(reader: ByteReader, fragments: readonly Box[]): UsualFlags {
  const counts = { tfhd: new Map<number, number>(), trun: new Map<number, number>() }
  for (const moof of fragments.slice(0, LOOKED_AT)) {
    for (const traf of readChildren(reader, bodyOf(moof), moof.end).boxes) {
      if (traf.type !== 'traf') continue
      for (const box of readChildren(reader, bodyOf(traf), traf.end).boxes) {
        if (box.type !== 'tfhd' && box.type !== 'trun') continue
        const flags = flagsOf(reader, box)
        counts[box.type].set(flags, (counts[box.type].get(flags) ?? 0) + 1)
      }
    }
  }
  const usual = (map: ReadonlyMap<number, number>): Set<number> =>
    new Set([...map].flatMap(([flags, count]) => (count >= SEVERAL ? [flags] : [])))
  return { tfhd: usual(counts.tfhd), trun: usual(counts.trun) }
}

interface TrafParts {
  readonly traf: Box
  readonly boxes: readonly Box[]
  readonly sound: boolean
}

function readMoof(
  reader: ByteReader,
  moof: Box,
  findings: Findings,
  work: Allowance,
): { reader: ByteReader; children: readonly Box[]; parts: readonly TrafParts[] } {
  const { boxes, sound } = readChildren(reader, bodyOf(moof), moof.end)
  const parts = partsOf(reader, boxes)
  if (sound && isUsual(boxes, parts)) return { reader, children: boxes, parts }
  const mended = work.take() ? mendBoxes(reader, moof, findings, work) : reader
  const again = readChildren(mended, bodyOf(moof), moof.end)
  if (!again.sound) findings.add(fragmentBroken(moof.offset, moof.size, 'boxes of impossible size'))
  return { reader: mended, children: again.boxes, parts: partsOf(mended, again.boxes) }
}

function partsOf(reader: ByteReader, boxes: readonly Box[]): TrafParts[] {
  const parts: TrafParts[] = []
  for (const traf of boxes) {
    if (traf.type !== 'traf') continue
    const { boxes, sound } = readChildren(reader, bodyOf(traf), traf.end)
    parts.push({ traf, boxes, sound })
  }
  return parts
}

/** Every part has what it needs, and nothing else than one knows. */
function isUsual(boxes: readonly Box[], parts: readonly TrafParts[]): boolean {
  if (!childOf(boxes, 'mfhd')) return false
  return (
    boxes.every(({ type }) => type === 'traf' || MOOF_BOXES.has(type)) &&
    parts.every(
      ({ boxes, sound }) =>
        sound && childOf(boxes, 'tfhd') !== undefined && boxes.every(({ type }) => TRAF_BOXES.has(type)),
    )
  )
}

const MOOF_BOXES: ReadonlySet<string> = new Set(['mfhd', 'traf', 'pssh', 'meta', 'uuid', 'free', 'skip'])
const TRAF_BOXES: ReadonlySet<string> = new Set(
  'tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc meta uuid free skip udta csgp'.split(' '),
)

/** Adds one track's part of a fragment. */
function addPart(
  reader: ByteReader,
  traf: Box,
  boxes: readonly Box[],
  usual: UsualFlags,
  headers: Map<number, TrackFragmentHeader>,
  into: Fragments,
  findings: Findings,
): void {
  const headerBox = childOf(boxes, 'tfhd')
  const own =
    headerBox &&
    parseTrackFragmentHeader(reader, headerBox, mendedHeaderFlags(reader, headerBox, usual.tfhd, findings))
  if (own && headers.size >= MOST_TRACKS && !headers.has(own.track)) return
  const header = own && shared(own, headers)
  if (!header) {
    findings.add(fragmentBroken(traf.offset, traf.size, "no readable 'tfhd'"))
    return
  }
  const decodeTime = childOf(boxes, 'tfdt')
  into.addPart(header, (decodeTime && parseDecodeTime(reader, decodeTime)) ?? Number.NaN)
  for (const box of boxes) {
    const run = box.type === 'trun' ? parseTrackRun(reader, box, usual.trun, findings) : undefined
    if (run) into.addRun(run)
  }
}

/**
 * Tracks that fragments may speak of: one for each bit of a track's number that was flipped somewhere, and more than films have.
 */
const MOST_TRACKS = 256

/** A header, or the one that the track had last where that says the same: what many fragments have in common takes room once. */
function shared(own: TrackFragmentHeader, headers: Map<number, TrackFragmentHeader>): TrackFragmentHeader {
  const last = headers.get(own.track)
  if (last && isSame(last, own)) return last
  headers.set(own.track, own)
  return own
}

function isSame(a: TrackFragmentHeader, b: TrackFragmentHeader): boolean {
  return (
    a.track === b.track &&
    a.baseOffset === b.baseOffset &&
    a.description === b.description &&
    a.duration === b.duration &&
    a.size === b.size &&
    a.flags === b.flags &&
    a.baseIsFragment === b.baseIsFragment
  )
}

/**
 * Media data right behind a fragment; undefined where the file ends before they do: how far its samples reach, they do not tell
 * then.
 */
function payloadOf(reader: ByteReader, moof: Box): Payload | undefined {
  const start = moof.end + PLAIN_HEADER
  if (reader.u32(moof.end + 4) !== MEDIA_DATA) return undefined
  const size = reader.u32(moof.end)
  // nearly all: no box is made for each
  if (size >= PLAIN_HEADER) {
    const end = moof.end + size
    return end <= reader.size ? { start, end } : undefined
  }
  const box = readBox(reader, moof.end, reader.size)
  return box?.type === 'mdat' && !isCut(box) ? { start: bodyOf(box), end: box.end } : undefined
}
