import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Allowance } from '../../model/allowance.ts'
import type { Monitor } from '../../model/monitor.ts'
import { type FrameHeader, readFrame } from '../../syntax/jpeg-markers/frame.ts'
import { DAC, DHT, EOI, isFrame, isRestart, isSegment, SOI, SOS } from '../../syntax/jpeg-markers/markers.ts'
import { MAX_SEGMENTS } from '../../syntax/jpeg-markers/segments.ts'

/** A JPEG picture stored in another file. */
export interface StoredJpeg extends Region {
  readonly frame: FrameHeader
  /** It ends with its own end of image; else at the next thing that is none of it, or with the file. */
  readonly ended: boolean
}

/**
 * Bytes searched at a time, at first and at most: where one start follows the other, what lies far behind each is not read for
 * it.
 */
const FIRST_PIECE = 4 * 1024
const PIECE = 256 * 1024
/** A header with its metadata: further than a marker segment's 64 KB only with several of them. */
const MOST_HEADER = 512 * 1024
/** Pictures of one file: a raw photo has up to four. */
const MOST_FOUND = 64
/** The lossless process of raw data: no picture that a viewer shows. */
const LOSSLESS: ReadonlySet<number> = new Set([0xc3, 0xc7, 0xcb, 0xcf])

/** The JPEG pictures in [from, to) of a file, in file order; those within another one (thumbnails) are part of it. */
export async function storedJpegs(
  reader: ByteReader,
  from: number,
  to: number,
  monitor: Monitor,
): Promise<readonly StoredJpeg[]> {
  const found: StoredJpeg[] = []
  const limit = Math.min(to, reader.size)
  const work = new Allowance(MOST_FOUND * MAX_SEGMENTS + Math.max(0, limit - from))
  for (let at = from; at < limit && found.length < MOST_FOUND; ) {
    const start = await nextStart(reader, at, limit, monitor)
    if (start < 0) break
    const picture = await pictureAt(reader, start, limit, work, monitor)
    if (picture) found.push(picture)
    at = picture ? picture.offset + picture.length : start + 2
    await monitor.pause()
  }
  return found
}

/** The one with the most pixels, the first of several. */
export function largestJpeg(found: readonly StoredJpeg[]): StoredJpeg | undefined {
  return [...found].sort((a, b) => area(b) - area(a) || a.offset - b.offset)[0]
}

function area({ frame }: StoredJpeg): number {
  return frame.width * frame.height
}

/** The next start of image with a marker behind it. */
async function nextStart(reader: ByteReader, from: number, to: number, monitor: Monitor): Promise<number> {
  let piece = FIRST_PIECE
  for (let at = from; at < to; at += piece, piece = Math.min(PIECE, 4 * piece)) {
    const bytes = reader.bytes(at, Math.min(piece + 3, to - at))
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 3 < bytes.length; i = bytes.indexOf(0xff, i + 1))
      if (bytes[i + 1] === SOI && bytes[i + 2] === 0xff && bytes[i + 3] >= 0xc0 && bytes[i + 3] < 0xff)
        return at + i
    await monitor.pause()
  }
  return -1
}

async function pictureAt(
  reader: ByteReader,
  start: number,
  to: number,
  work: Allowance,
  monitor: Monitor,
): Promise<StoredJpeg | undefined> {
  const header = headerAt(reader, start, Math.min(to, start + MOST_HEADER), work)
  if (!header || LOSSLESS.has(header.frame.marker)) return undefined
  const end = await endOf(reader, header.end, to, monitor)
  return { offset: start, length: end.at - start, frame: header.frame, ended: end.ended }
}

/**
 * The first frame header behind a start of image, and where the first scan header behind it ends, as far as segments follow each
 * other.
 */
function headerAt(
  reader: ByteReader,
  start: number,
  to: number,
  work: Allowance,
): { readonly frame: FrameHeader; readonly end: number } | undefined {
  let sof = -1
  let at = start + 2
  for (let segments = 0; segments < MAX_SEGMENTS && at + 4 <= to && work.take(); ) {
    const marker = reader.u8(at + 1)
    if (reader.u8(at) !== 0xff || !(isSegment(marker) || marker === 0xff)) return undefined
    // any marker may be preceded by fill bytes
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + reader.u16(at + 2)
    if (end < at + 4 || end > to) return undefined
    if (sof < 0 && isFrame(marker)) sof = at
    if (marker === SOS) {
      const frame = sof < 0 ? undefined : frameAt(reader, sof)
      return frame && { frame, end }
    }
    at = end
    segments++
  }
  return undefined
}

function frameAt(reader: ByteReader, at: number): FrameHeader | undefined {
  return readFrame(reader.u8(at + 1), reader.bytes(at + 4, reader.u16(at + 2) - 2))
}

/** Where scans end: behind the end of image, else at the first marker that no scan of a picture has. */
async function endOf(
  reader: ByteReader,
  from: number,
  to: number,
  monitor: Monitor,
): Promise<{ readonly at: number; readonly ended: boolean }> {
  for (let at = from; at < to; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE + 1, to - at))
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1)) {
      const marker = bytes[i + 1]
      if (marker === EOI) return { at: at + i + 2, ended: true }
      if (marker === SOI) return { at: at + i, ended: false }
      if (marker > 2 && !isRestart(marker) && !BETWEEN_SCANS(marker) && marker !== 0xff)
        return { at: at + i, ended: false }
    }
    await monitor.pause()
  }
  return { at: to, ended: false }
}

/** Markers of segments between the scans of a progressive picture. */
const BETWEEN_SCANS = (marker: number): boolean =>
  marker === DHT || marker === DAC || marker === SOS || (marker >= 0xdb && marker <= 0xdf)
