import type { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import { writeFrame } from '../../../syntax/jpeg-markers/frame.ts'
import { type HuffmanSpec, writeHuffman } from '../../../syntax/jpeg-markers/huffman.ts'
import {
  DHT,
  DQT,
  DRI,
  EOI,
  isFrame,
  SOF0,
  SOF1,
  SOF2,
  SOI,
  SOS,
} from '../../../syntax/jpeg-markers/markers.ts'
import { writeQuantisation } from '../../../syntax/jpeg-markers/quantisation.ts'
import { writeScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../../syntax/jpeg-markers/segments.ts'
import type { ReadPicture } from '../read/read-picture.ts'
import { type CodedScan, codeWithNewTables, codeWithOwnTables } from './coded-scan.ts'

const START = Uint8Array.of(0xff, SOI)
const END = Uint8Array.of(0xff, EOI)
const LAST_COEFFICIENT = 63

/** The bytes of a mended picture in order, from start to end of image. */
export function writePicture(bytes: Uint8Array, read: ReadPicture, picture: MendedPicture): Uint8Array[] {
  const [scan] = read.scans
  const single = read.frame.marker !== SOF2 && scan.header.components.length === read.frame.components.length
  return single ? withOwnHeader(bytes, read, picture) : asOneScan(bytes, read, picture)
}

/** The header as it is, and the scan coded anew. */
function withOwnHeader(bytes: Uint8Array, read: ReadPicture, picture: MendedPicture): Uint8Array[] {
  const { frame, scans, segments, start } = read
  const [{ header, tables, interval, start: from, end }] = scans
  const coded = codeWithOwnTables(picture, frame, header.components, tables, interval, end - from)
  if (coded.tables.length === 0) return [bytes.subarray(start, from), coded.data, END]
  const last = segments[segments.findIndex(({ marker }) => marker === SOS)]
  return [
    bytes.subarray(start, last.offset),
    writeSegment(DHT, writeHuffman(coded.tables)),
    writeSegment(SOS, writeScanHeader({ ...header, components: coded.components })),
    coded.data,
    END,
  ]
}

/** What was several scans as a single one: every coefficient stays, in a frame of the sequential process. */
function asOneScan(bytes: Uint8Array, read: ReadPicture, picture: MendedPicture): Uint8Array[] {
  const kept = read.segments
    .filter(({ marker }) => !isFrame(marker) && ![DHT, DQT, DRI, SOS].includes(marker))
    .map(({ offset, end }) => bytes.subarray(offset, end))
  const coded = codeWithNewTables(picture, read.frame, 0, lengthOf(read))
  return [START, ...kept, ...newHeader(read, coded, coded.tables, 0), coded.data, END]
}

/** A mended picture behind what is kept of its header, with tables, frame and scan header written anew. */
export function writeRebuilt(
  read: ReadPicture,
  picture: MendedPicture,
  kept: readonly Uint8Array[],
): Uint8Array[] {
  const [{ header, tables, interval }] = read.scans
  const single = read.frame.marker !== SOF2 && header.components.length === read.frame.components.length
  const coded = single
    ? codeWithOwnTables(picture, read.frame, header.components, tables, interval, lengthOf(read))
    : codeWithNewTables(picture, read.frame, 0, lengthOf(read))
  const specs = coded.tables.length > 0 ? coded.tables : usedTables(coded, tables)
  return [START, ...kept, ...newHeader(read, coded, specs, single ? interval : 0), coded.data, END]
}

function lengthOf({ scans }: ReadPicture): number {
  return scans.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** The tables that the components of a scan name, each once. */
function usedTables({ components }: CodedScan, tables: HuffmanTables): HuffmanSpec[] {
  const used = components.flatMap(({ dc, ac }) => [tables.spec(0, dc), tables.spec(1, ac)])
  return Array.from(new Set(used)).filter((spec) => spec !== undefined)
}

function newHeader(
  { frame, quantisation }: ReadPicture,
  coded: CodedScan,
  specs: readonly HuffmanSpec[],
  interval: number,
): Uint8Array[] {
  const tables = quantisation.flatMap((values, id) => {
    if (!values) return []
    return [{ id, width: values.some((value) => value > 255) ? (2 as const) : (1 as const), values }]
  })
  const simple = frame.precision === 8 && tables.every(({ width }) => width === 1)
  return [
    writeSegment(DQT, writeQuantisation(tables)),
    writeSegment(simple ? SOF0 : SOF1, writeFrame(frame)),
    writeSegment(DHT, writeHuffman(specs)),
    ...(interval > 0 ? [writeSegment(DRI, [interval >> 8, interval & 0xff])] : []),
    writeSegment(
      SOS,
      writeScanHeader({ components: coded.components, first: 0, last: LAST_COEFFICIENT, high: 0, low: 0 }),
    ),
  ]
}
