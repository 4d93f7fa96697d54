import type { ByteReader } from '../../../bytes/reader.ts'
import type { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, isCut, readBox, readChildren } from '../../../syntax/iso-boxes/box.ts'
import { boxGarbage, boxSize } from '../findings.ts'
import { TRACK_LEAVES } from './box-types.ts'

/** The boxes of one track by place; leaves of `stbl` and the headers by type. */
export interface TrackParts {
  /** First byte of the track, for messages. */
  readonly offset: number
  readonly leaves: Map<string, Box>
  readonly information: Box[]
  readonly trackBoxes: Box[]
  readonly groups: Box[]
  /** False when a header was impossible or a box was cut. */
  sound: boolean
}

/** Leaves the engine reads; others of `stbl` number samples and are kept apart. */
const READ: ReadonlySet<string> = new Set([
  'tkhd',
  'elst',
  'mdhd',
  'hdlr',
  'dref',
  'stsd',
  'stts',
  'ctts',
  'stss',
  'stps',
  'stsz',
  'stz2',
  'stsc',
  'stco',
  'co64',
])

function emptyParts(offset: number): TrackParts {
  return { offset, leaves: new Map(), information: [], trackBoxes: [], groups: [], sound: true }
}

/**
 * Collects a track's boxes by following its tree, ISO/IEC 14496-12:2022 §8.3.1.
 * @param boxes boxes that may be kept: those beyond are as if they were not there
 */
export function collectTree(reader: ByteReader, trak: Box, findings: Findings, boxes: Allowance): TrackParts {
  const parts = emptyParts(trak.offset)
  const walk = (parent: Box, visit: (child: Box) => void): void => {
    const children = readChildren(reader, bodyOf(parent), parent.end)
    if (!children.sound && !isCut(parent)) reportUnsound(children.boxes, children.stopped, parent, findings)
    if (!children.sound) parts.sound = false
    for (const child of children.boxes) {
      if (boxes.take()) visit(child)
      else parts.sound = false
    }
  }
  const keep = (box: Box): void => {
    if (!parts.leaves.has(box.type)) parts.leaves.set(box.type, box)
  }
  walk(trak, (child) => {
    if (child.type === 'tkhd') keep(child)
    else if (child.type === 'edts') walk(child, keep)
    else if (child.type === 'mdia') {
      walk(child, (media) => {
        if (media.type === 'minf') {
          walk(media, (info) => {
            if (info.type === 'stbl') {
              walk(info, (leaf) => (READ.has(leaf.type) ? keep(leaf) : parts.groups.push(leaf)))
              return
            }
            parts.information.push(info)
            if (info.type === 'dinf') walk(info, keep)
          })
        } else if (READ.has(media.type)) keep(media)
      })
    } else parts.trackBoxes.push(child)
  })
  return parts
}

function reportUnsound(boxes: readonly Box[], stopped: number, parent: Box, findings: Findings): void {
  const last = boxes.at(-1)
  if (last && isCut(last)) findings.add(boxSize(last.type, last.offset, last.size, parent.end - last.offset))
  else findings.add(boxGarbage(stopped, parent.end - stopped, `'${parent.type}'`))
}

/**
 * Collects tracks from a movie box whose tree is broken: every leaf found by its type, in file order, a new track at
 * each `tkhd`. A leaf ends where the next one starts when its own size does not fit.
 */
export function collectFlat(reader: ByteReader, start: number, end: number): TrackParts[] {
  const tracks: TrackParts[] = []
  const found = findLeaves(reader, start, end)
  for (let i = 0; i < found.length; i++) {
    const at = found[i]
    const next = i + 1 < found.length ? found[i + 1] : end
    const type = reader.fourcc(at + 4)
    let track = tracks.at(-1)
    if (type === 'trak') {
      tracks.push(emptyParts(at))
      continue
    }
    if (!track || (type === 'tkhd' && track.leaves.has('tkhd'))) {
      track = emptyParts(at)
      tracks.push(track)
    }
    track.sound = false
    const declared = readBox(reader, at, end)
    const fits = declared && declared.end <= next && declared.size <= next - at
    const box: Box = fits ? declared : { type, offset: at, header: 8, size: next - at, end: next, form: '32' }
    if (READ.has(type)) {
      // QuickTime has a second, data handler in `minf`: only the first is the media's.
      if (!track.leaves.has(type)) track.leaves.set(type, box)
    } else if (type === 'tref') track.trackBoxes.push(box)
    else if (fits) track.information.push(box)
  }
  return tracks.filter((track) => track.leaves.size > 0)
}

/** By the first two letters of a type, whether a leaf or `trak` begins with them. */
const BEGINNINGS = new Uint8Array(1 << 16)
for (const type of ['trak', ...TRACK_LEAVES]) BEGINNINGS[(type.charCodeAt(0) << 8) | type.charCodeAt(1)] = 1

/** Steps of all searches that it takes to look for a leaf at a place. */
const STEPS_A_BYTE = 1 / 4

/**
 * Offsets of headers of known leaves (and `trak`), whatever size they declare; none once all searches of the file may take no
 * more.
 */
function findLeaves(reader: ByteReader, start: number, end: number): number[] {
  const found: number[] = []
  if (!reader.work.take((end - start) * STEPS_A_BYTE)) return found
  for (let at = start; at + 8 <= end; at++) {
    if (BEGINNINGS[reader.u16(at + 4)] === 0) continue
    const type = reader.fourcc(at + 4)
    if (type !== 'trak' && !(TRACK_LEAVES.has(type) && !GROUPS.has(type))) continue
    found.push(at)
    const declared = readBox(reader, at, end)
    // A leaf whose size leads to another header is skipped whole; `trak` is entered.
    const skipped = type !== 'trak' && declared && startsKnown(reader, declared.offset + declared.size, end)
    at = skipped ? declared.end - 1 : at + 7
  }
  return found
}

/** True when a plausible box (or the end) is where a leaf says it ends, so that its body need not be searched. */
function startsKnown(reader: ByteReader, at: number, end: number): boolean {
  if (at >= end) return at === end
  return TRACK_LEAVES.has(reader.fourcc(at + 4)) || CONTAINERS.has(reader.fourcc(at + 4))
}

const GROUPS: ReadonlySet<string> = new Set(['sgpd', 'sbgp', 'sdtp', 'cslg'])
const CONTAINERS: ReadonlySet<string> = new Set([
  'trak',
  'edts',
  'mdia',
  'minf',
  'stbl',
  'udta',
  'meta',
  'mvex',
  'tapt',
  'iods',
  'load',
  'free',
])
