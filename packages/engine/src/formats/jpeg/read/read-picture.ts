import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { type FrameHeader, readFrame } from '../../../syntax/jpeg-markers/frame.ts'
import { readHuffman } from '../../../syntax/jpeg-markers/huffman.ts'
import {
  DHT,
  DQT,
  DRI,
  EOI,
  isFrame,
  isRestart,
  isSegment,
  SOI,
  SOS,
} from '../../../syntax/jpeg-markers/markers.ts'
import { readQuantisation } from '../../../syntax/jpeg-markers/quantisation.ts'
import { readScanHeader, type ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { type Segment, segmentAt } from '../../../syntax/jpeg-markers/segments.ts'

/** A scan with what was in force at its start. */
export interface ReadScan {
  readonly header: ScanHeader
  readonly tables: HuffmanTables
  readonly interval: number
  /** Where its entropy-coded data begins, and ends with a marker or with the file. */
  readonly start: number
  readonly end: number
}

/** One picture of a file as its segments tell it. */
export interface ReadPicture {
  /** Offset of its first byte, and the one behind its last. */
  readonly start: number
  readonly end: number
  readonly segments: readonly Segment[]
  readonly frame: FrameHeader
  /** By number, in zigzag order. */
  readonly quantisation: readonly (Uint16Array | undefined)[]
  readonly scans: readonly ReadScan[]
  /** The end-of-image marker is there. */
  readonly ended: boolean
}

const MAX_SEGMENTS = 4_096
const MAX_SCANS = 256

/** What is in force while a picture's segments are read, and what was read. */
export interface Reading {
  readonly segments: Segment[]
  readonly quantisation: (Uint16Array | undefined)[]
  readonly tables: HuffmanTables
  readonly scans: ReadScan[]
  frame: FrameHeader | undefined
  interval: number
}

/**
 * The picture that begins with a start of image at `start`; undefined where its segments do not lead to a scan in order, or are
 * more than `looks` allows.
 */
export function readPicture(bytes: Uint8Array, start: number, looks?: Allowance): ReadPicture | undefined {
  if (bytes[start] !== 0xff || bytes[start + 1] !== SOI) return undefined
  const reading: Reading = {
    segments: [],
    quantisation: [],
    tables: new HuffmanTables(),
    scans: [],
    frame: undefined,
    interval: 0,
  }
  const { end, ended } = readOn(bytes, start + 2, reading, looks)
  const { frame, segments, quantisation, scans } = reading
  if (!frame || scans.length === 0) return undefined
  return { start, end, segments, frame, quantisation, scans, ended }
}

/** Reads segments and scans from `from` on into `reading`, up to the end of image or to what does not belong to the picture. */
export function readOn(
  bytes: Uint8Array,
  from: number,
  reading: Reading,
  looks?: Allowance,
): { readonly end: number; readonly ended: boolean } {
  const { segments, quantisation, tables, scans } = reading
  let at = from
  while (segments.length < MAX_SEGMENTS && scans.length < MAX_SCANS) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (bytes[at] === 0xff && bytes[at + 1] === EOI) return { end: at + 2, ended: true }
    const segment = looks && !looks.take() ? undefined : segmentAt(bytes, at)
    if (!segment) break
    const { marker, body } = segment
    if (isFrame(marker)) {
      const read = readFrame(marker, body)
      if (!read || reading.frame) break
      reading.frame = read
    } else if (marker === DQT) {
      const read = readQuantisation(body)
      if (!read) break
      for (const { id, values } of read) quantisation[id] = values
    } else if (marker === DHT) {
      const read = readHuffman(body)
      if (!read) break
      tables.define(read)
    } else if (marker === DRI) {
      if (body.length !== 2) break
      reading.interval = (body[0] << 8) | body[1]
    }
    if (marker !== SOS) {
      segments.push(segment)
      at = segment.end
      continue
    }
    const header = readScanHeader(body)
    if (!header || !reading.frame) break
    segments.push(segment)
    const end = endOfScan(bytes, segment.end)
    scans.push({ header, tables: tables.copy(), interval: reading.interval, start: segment.end, end })
    at = end
  }
  return { end: at, ended: false }
}

/** Bytes and FFs behind an end of image that are looked at to tell whether it is one. */
const BEHIND_END = 32_768
const MOST_LOOKED_AT = 64
/**
 * FFs that must be as entropy-coded data has them for it to be that, and for each of another kind: noise over a part of a scan
 * has such.
 */
const LEAST_STUFFED = 3
const STUFFED_FOR_EACH = 2

/**
 * Where the entropy-coded data from `start` on ends: at a marker that may follow it. What cannot stand there is damage, and
 * passed over.
 */
export function endOfScan(bytes: Uint8Array, start: number): number {
  for (
    let at = bytes.indexOf(0xff, start);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const code = bytes[at + 1]
    if (code === 0 || code === 0xff || isRestart(code)) continue
    if (endsScan(bytes, at)) return at
  }
  return bytes.length
}

/** Whether the marker at `at` ends a scan: a segment that makes sense or an end that no entropy-coded data follows. */
export function endsScan(bytes: Uint8Array, at: number): boolean {
  const code = bytes[at + 1]
  if (code === EOI) return !looksEntropyCoded(bytes, at + 2)
  if (code === SOI) return bytes[at + 2] === 0xff && isSegment(bytes[at + 3])
  const segment = segmentAt(bytes, at)
  if (!segment) return false
  if (code === SOS) return readScanHeader(segment.body) !== undefined
  if (code === DHT && segment.body.length > 0) return readHuffman(segment.body) !== undefined
  if (code === DQT) return readQuantisation(segment.body) !== undefined
  if (isFrame(code)) return readFrame(code, segment.body) !== undefined
  // what says nothing of itself is told by what follows
  return bytes[segment.end] === 0xff && (bytes[segment.end + 1] === EOI || isSegment(bytes[segment.end + 1]))
}

/**
 * Whether bytes are entropy-coded data: FFs have their stuffing or are restart markers, but for those of noise that part of a
 * scan was overwritten with. Up to the next picture's start, this one's end, or a segment that makes sense.
 */
export function looksEntropyCoded(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + BEHIND_END)
  let stuffed = 0
  let others = 0
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < end; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1]
    if (code === EOI ? stuffed > 0 : endsScan(bytes, at)) break
    if (code === 0 || isRestart(code)) stuffed++
    else others++
    if (stuffed + others === MOST_LOOKED_AT) break
  }
  return stuffed >= Math.max(LEAST_STUFFED, STUFFED_FOR_EACH * others)
}
