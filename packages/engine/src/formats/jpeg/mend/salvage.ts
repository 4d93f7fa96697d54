import { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import { type FrameHeader, readFrame } from '../../../syntax/jpeg-markers/frame.ts'
import { readHuffman } from '../../../syntax/jpeg-markers/huffman.ts'
import {
  APP0,
  APP15,
  COM,
  DHT,
  DQT,
  DRI,
  EOI,
  isFrame,
  isRestart,
  SOF0,
  SOF2,
  SOI,
  SOS,
} from '../../../syntax/jpeg-markers/markers.ts'
import { readQuantisation } from '../../../syntax/jpeg-markers/quantisation.ts'
import { readScanHeader, type ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { type Segment, segmentAt } from '../../../syntax/jpeg-markers/segments.ts'
import { endOfScan } from '../read/read-picture.ts'
import { embeddedFiles, isOfBoxes } from '../read/thumbnail.ts'
import { soundSegments } from './sound-segments.ts'
import { isFalselyProgressive } from './usual-headers.ts'
import { isWithinHeader, startOfImage } from './within-header.ts'

/** Segments that were found wherever they are, and where the picture's entropy-coded data lie. */
export interface Salvage {
  /** Segments of the main picture in front of its first scan, in order; others' are left out. */
  readonly segments: readonly Segment[]
  readonly frame: FrameHeader | undefined
  readonly quantisation: readonly (Uint16Array | undefined)[]
  /** Segments of these lead to others: no bytes came into them or are gone from them. */
  readonly quantisationWhole: boolean
  readonly tables: HuffmanTables
  readonly interval: number | undefined
  readonly header: ScanHeader | undefined
  /** Where the data begin, as far as is known: behind the scan header, or behind whatever is last in front of them. */
  readonly start: number
  readonly end: number
}

/** What has less than this part of the data of another picture is a preview. */
export const MAIN_PART = 0.5

/** A scan's header and where its data end. */
interface FoundScan {
  readonly segment: Segment
  readonly end: number
}

/** Scans that follow each other without an end of image or another frame between them, and bytes of their data. */
interface ScanGroup {
  readonly scans: readonly FoundScan[]
  readonly length: number
}

/**
 * Puts together what survives of the main picture: the one with the longest scans. Undefined when no entropy-coded data are
 * found.
 */
export function salvage(bytes: Uint8Array): Salvage | undefined {
  const found = soundSegments(bytes)
  const { group, within } = mainGroup(bytes, found)
  const data = headlessStretch(bytes, found, group)
  // a thumbnail's data are none of the photo's
  const isOther = within.some(({ scans }) =>
    scans.some(({ segment, end }) => data && segment.end < data.end && end > data.start),
  )
  const stretch = isOther ? undefined : data
  if (!group || stretch) {
    if (!stretch) return undefined
    const [from, to] = headerBounds(bytes, found, stretch.end, stretch.start)
    const own = found.filter(({ offset, end }) => offset >= from && end <= to)
    const start = Math.max(behindSegments(bytes, own.at(-1)?.end ?? 0, stretch.end), stretch.start)
    return assemble(bytes, own, undefined, behindForeignRestarts(bytes, start, stretch.end), stretch.end)
  }
  const [{ segment: first, end }] = group.scans
  const [from, to] = headerBounds(bytes, found, first.end, first.offset)
  const own = found.filter((segment) => segment.offset >= from && segment.end <= to)
  const whole = assemble(bytes, own, first, first.end, end)
  return whole.frame?.marker === SOF2 && !beginsPicture(whole.header)
    ? (withoutFirstHeader(bytes, own) ?? whole)
    : whole
}

/**
 * Data that no header leads to where they are the photo's: longer than those of any scan, or in front of a picture and no
 * preview's.
 */
function headlessStretch(
  bytes: Uint8Array,
  found: readonly Segment[],
  group: ScanGroup | undefined,
): Stretch | undefined {
  const stretch = longestStretch(bytes)
  if (!group || (stretch && stretch.end - stretch.start > 2 * group.length)) return stretch
  const front = longestStretch(bytes.subarray(0, group.scans[0].segment.offset))
  if (!front || front.end - front.start <= MAIN_PART * group.length) return undefined
  const headed = found.some(
    ({ marker, end }) => marker === SOS && end <= front.end && endOfScan(bytes, end) > front.start,
  )
  return headed ? undefined : front
}

/**
 * The scans of the photo: the first picture in the file with about as many data as any, of those that do not stand `within`
 * another's header.
 */
function mainGroup(
  bytes: Uint8Array,
  found: readonly Segment[],
): { readonly group: ScanGroup | undefined; readonly within: readonly ScanGroup[] } {
  const groups: { scans: FoundScan[]; length: number }[] = []
  let last: FoundScan | undefined
  for (const segment of found) {
    if (segment.marker !== SOS) continue
    const until = last?.end ?? 0
    const goesOn =
      last &&
      until <= segment.offset &&
      bytes[until + 1] !== EOI &&
      bytes[until + 1] !== SOI &&
      !frameBetween(found, until, segment.offset)
    if (!goesOn) groups.push({ scans: [], length: 0 })
    const group = groups[groups.length - 1]
    const end = endOfScan(bytes, segment.end)
    last = { segment, end }
    group.scans.push(last)
    group.length += end - segment.end
  }
  const embedded = embeddedFiles(bytes)
  const within = groups.filter(({ scans }, index) => {
    const { offset } = scans[0].segment
    if (embedded.some(({ start, end }) => offset > start && offset < end)) return true
    const before = groups[index - 1]?.scans.at(-1)?.end ?? 0
    const start = startOfImage(bytes, before, offset)
    return start > 0 && isWithinHeader(bytes, start, scans[scans.length - 1].end + 2)
  })
  const others = groups.filter((group) => !within.includes(group))
  const most = others.reduce((length, group) => Math.max(length, group.length), 0)
  return { group: others.find(({ length }) => length > MAIN_PART * most), within }
}

/** Whether a frame header stands between two places: what follows is another picture. */
function frameBetween(found: readonly Segment[], from: number, to: number): boolean {
  return found.some(({ marker, offset }) => isFrame(marker) && offset >= from && offset < to)
}

/** A progressive picture begins with a first scan of DC, ITU-T T.81 §G.1.1.1.1. */
function beginsPicture(header: ScanHeader | undefined): boolean {
  return header !== undefined && header.first === 0 && header.high === 0
}

/**
 * A picture whose first scan lost its header: its data lie behind the last of the segments in front, up to the next that follows.
 */
function withoutFirstHeader(bytes: Uint8Array, own: readonly Segment[]): Salvage | undefined {
  let last = -1
  let most = LEAST_STRETCH
  own.slice(1).forEach(({ offset }, index) => {
    const gap = offset - own[index].end
    if (gap > most) {
      most = gap
      last = index
    }
  })
  if (last < 0) return undefined
  const before = own.slice(0, last + 1)
  const end = own[last + 1].offset
  return assemble(bytes, before, undefined, behindSegments(bytes, own[last].end, end), end)
}

/** Behind the application segments that begin at `at` and lead to each other. */
function behindSegments(bytes: Uint8Array, at: number, to: number): number {
  let start = at
  for (
    let segment = segmentAt(bytes, start);
    segment && segment.end < to;
    segment = segmentAt(bytes, start)
  ) {
    const { marker } = segment
    if ((marker < APP0 || marker > APP15) && marker !== COM) break
    start = segment.end
  }
  return start
}

/** Between which offsets the main picture's segments stand: behind the picture stored in front of it, if there is one. */
function headerBounds(
  bytes: Uint8Array,
  found: readonly Segment[],
  limit: number,
  scan: number,
): [number, number] {
  let from = 0
  for (const { marker, end } of found) {
    if (marker !== SOS || end > scan) continue
    const last = endOfScan(bytes, end)
    if (last >= scan) continue
    if (bytes[last + 1] === EOI) from = Math.max(from, last + 2)
    else if (frameBetween(found, last, scan)) from = Math.max(from, last)
  }
  return [from, limit]
}

function assemble(
  bytes: Uint8Array,
  own: readonly Segment[],
  scan: Segment | undefined,
  start: number,
  end: number,
): Salvage {
  const quantisation: (Uint16Array | undefined)[] = []
  const tables = new HuffmanTables()
  let frame: FrameHeader | undefined
  let interval: number | undefined
  for (const { marker, body } of own) {
    if (marker === DQT) for (const { id, values } of readQuantisation(body) ?? []) quantisation[id] = values
    else if (marker === DHT) tables.define(readHuffman(body) ?? [])
    else if (marker === DRI) interval = (body[0] << 8) | body[1]
    else if (isFrame(marker) && !frame) frame = readFrame(marker, body)
  }
  const header = scan && readScanHeader(scan.body)
  if (frame && header && isFalselyProgressive(frame, header)) frame = { ...frame, marker: SOF0 }
  const quantisationWhole = own.every((segment) => segment.marker !== DQT || bytes[segment.end] === 0xff)
  return { segments: own, frame, quantisation, quantisationWhole, tables, interval, header, start, end }
}

interface Stretch {
  readonly start: number
  readonly end: number
}

/** Least length of data that no header leads to. */
const LEAST_STRETCH = 4_096
/** FF bytes with their stuffing that make data entropy-coded. */
const LEAST_STUFFED = 8
/** Equal bytes in a row that end what stands in front of the data. */
const EMPTY_RUN = 64

/**
 * The longest stretch in which each FF is followed by its stuffing or a restart marker, and that is not told to be of what is
 * stored with a photo; empty bytes in front are left out.
 */
export function longestStretch(bytes: Uint8Array): Stretch | undefined {
  let best: Stretch | undefined
  let from = 0
  let stuffed = 0
  const close = (end: number): void => {
    if (stuffed < LEAST_STUFFED || end - from < LEAST_STRETCH || isOfBoxes(bytes, from)) return
    const start = behindEmpty(bytes, from, end)
    if (!best || end - start > best.end - best.start) best = { start, end }
  }
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1]
    if (code === 0 || isRestart(code)) stuffed++
    else if (code !== 0xff) {
      close(at)
      from = at + 2
      stuffed = 0
    }
  }
  close(bytes.length)
  return best
}

/** Bytes in front of data in which restart markers may be noise's. */
const MOST_NOISE = 8_192
/** Restart markers in a row whose numbers follow each other that are a scan's. */
const LEAST_IN_ORDER = 3

/**
 * Behind restart markers near the front of data that are none of the scan's, as noise over a head holds such: those in front of
 * the first of several whose numbers follow each other, ITU-T T.81 §E.1.4, or all where there are no several, unless they count
 * from the first number on.
 */
function behindForeignRestarts(bytes: Uint8Array, start: number, end: number): number {
  const ends: number[] = []
  const numbers: number[] = []
  let inOrder = 0
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < end; at = bytes.indexOf(0xff, at + 1)) {
    if (!isRestart(bytes[at + 1])) continue
    const number = bytes[at + 1] & 7
    inOrder = inOrder > 0 && number === (numbers[numbers.length - 1] + 1) % 8 ? inOrder + 1 : 1
    ends.push(at + 2)
    numbers.push(number)
    if (inOrder === LEAST_IN_ORDER || ends.length === MOST_RESTARTS) break
  }
  const counting = inOrder < LEAST_IN_ORDER && numbers.every((number, index) => number === index)
  const own = inOrder === LEAST_IN_ORDER ? ends.length - LEAST_IN_ORDER : counting ? 0 : ends.length
  return ends.slice(0, own).reduce((behind, each) => (each - start <= MOST_NOISE ? each : behind), start)
}

/** Restart markers that are looked at for such as follow each other. */
const MOST_RESTARTS = 4_096

/**
 * Behind the run of equal bytes that the data begin with, however long, and the last long one near the start of what follows:
 * what was overwritten in front of them.
 */
function behindEmpty(bytes: Uint8Array, start: number, end: number): number {
  let first = start
  while (first + 1 < end && bytes[first + 1] === bytes[start]) first++
  let at = first - start >= EMPTY_RUN - 1 ? first + 1 : start
  let run = 1
  const limit = at + (end - at) / 2
  for (let i = at + 1; i < limit; i++) {
    run = bytes[i] === bytes[i - 1] ? run + 1 : 1
    if (run >= EMPTY_RUN) at = i + 1
    if (i - at > 1 << 16) break
  }
  return at
}
