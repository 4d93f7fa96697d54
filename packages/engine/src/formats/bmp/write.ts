import type { ByteReader } from '../../bytes/reader.ts'
import { Splice } from '../../bytes/splice.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import type { MendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import { FILLER } from '../../photo/raw/unwritten.ts'
import type { Placed } from './assess.ts'
import { FILE_HEADER, FULL } from './read.ts'

/** What stands in front of the pixels of a mended file behind its file header. */
export interface Front {
  readonly placed: Placed
  /** The header with its masks. */
  readonly header: Uint8Array
  /** All from there to the first pixel. */
  readonly palette: Uint8Array
  readonly from: 'file' | 'sample' | 'fitted'
  readonly paletteFrom?: 'sample' | 'standard'
}

const END_OF_BITMAP = Uint8Array.of(0, 1)
/** LCS_sRGB, for a header whose profile is gone. */
const SRGB = 0x7352_4742

/** The file put together again: what is gone of the pixels is filled up. */
export function mend(reader: ByteReader, front: Front): MendedRaw {
  const { placed, header, palette, from, paletteFrom } = front
  const { info, at, offset, length, runs, holes, profileCut, shift, unclear } = placed
  const { size } = reader
  const cut = runs !== undefined && !runs.ended
  const end = offset + length
  const behind = cut ? END_OF_BITMAP.length : Math.max(0, size - end - Math.max(0, shift?.bytes ?? 0))
  const first = FILE_HEADER + header.length + palette.length
  const total = first + length + behind
  const view = new DataView(header.buffer, header.byteOffset)
  if (info.bytes >= FULL) {
    if (info.coloursOdd) view.setUint32(32, 0, true)
    const least = cut ? length + END_OF_BITMAP.length : length
    const told = view.getUint32(20, true)
    if (told !== 0 && (cut || told < least || told > total - first)) view.setUint32(20, least, true)
  }
  if (profileCut) {
    view.setUint32(56, SRGB, true)
    view.setUint32(112, 0, true)
    view.setUint32(116, 0, true)
  }
  const splice = new Splice()
  splice.bytes(fileHeader(reader, at, { first, least: first + length, total }))
  splice.bytes(header)
  splice.bytes(palette)
  let next = offset
  for (const hole of holes) {
    splice.copy(next, hole.offset - next)
    splice.fill(FILLER.plain, hole.length)
    next = hole.offset + hole.length
  }
  if (shift) {
    splice.copy(next, shift.at - next)
    splice.fill(FILLER.plain, -shift.bytes)
    next = shift.at + Math.max(0, shift.bytes)
    splice.copy(next, size - next)
  } else {
    splice.copy(next, Math.min(end, size) - next)
    splice.fill(FILLER.plain, end - size)
  }
  if (cut) splice.bytes(END_OF_BITMAP)
  else if (!shift) splice.copy(end, behind)
  const rebuilt = [
    { part: 'file header', from: 'file' as const },
    ...(from === 'file' ? [] : [{ part: 'header', from }]),
    ...(paletteFrom ? [{ part: 'palette', from: paletteFrom }] : []),
  ]
  const picture = reportOf(reader, placed, rebuilt)
  return {
    splice,
    picture,
    doubts: doubtsThat({
      areasLost: picture.lost > 0,
      colour: paletteFrom !== undefined,
      size: from !== 'file',
      orientation: from !== 'file',
      assumed: from !== 'file',
      placement: !placed.sure || shift !== undefined || unclear === true,
      metadata: profileCut || (info.bytes >= FULL && isResolutionOdd(view)),
      beside: isEndMissing(reader, placed),
    }),
    strategy: { name: `${from}-header`, outcome: `pixels at ${offset}, ${picture.recovered} rows are there` },
    sampleUsed: from === 'sample' ? ['structure'] : paletteFrom === 'sample' ? ['palette'] : [],
  }
}

/** More pixels a metre than any device has. */
const MOST_PER_METRE = 200_000

/** Whether the resolution of a hit header is none that programs write: one for both directions, or none. */
function isResolutionOdd(header: DataView): boolean {
  const across = header.getUint32(24, true)
  const down = header.getUint32(28, true)
  return across !== down || across > MOST_PER_METRE
}

/** Whether the file says that it went on a little behind what stands behind the pixels. */
function isEndMissing(reader: ByteReader, { at, offset, length, runs }: Placed): boolean {
  if (at !== FILE_HEADER || (runs && !runs.ended)) return false
  const declared = reader.u32le(2)
  return offset + length < reader.size && declared > reader.size && declared - reader.size <= 1 << 16
}

/** The file header: its own size where that may be right; what is reserved is zero. */
function fileHeader(
  reader: ByteReader,
  at: number,
  { first, least, total }: { readonly first: number; readonly least: number; readonly total: number },
): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER)
  const whole = at === FILE_HEADER
  const view = new DataView(bytes.buffer)
  const told = whole ? reader.u32le(2) : 0
  view.setUint16(0, 0x424d)
  view.setUint32(2, told >= least && told <= total ? told : total, true)
  view.setUint32(10, first, true)
  return bytes
}

/** What became of the picture; rows are told from its top. */
export function reportOf(
  reader: ByteReader,
  { info, offset, length, runs, holes, shift }: Placed,
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  const { width, height, bits, topDown } = info
  const gone = holes.map((hole) => ({ from: hole.offset - offset, to: hole.offset + hole.length - offset }))
  const there = Math.max(0, reader.size - offset)
  // rows stand for bytes where they are coded
  const bytes = runs ? height : length
  if (runs && runs.rows < height) gone.push({ from: runs.rows, to: height })
  else if (shift && shift.bytes < 0)
    gone.push({ from: shift.at - offset, to: shift.at - offset - shift.bytes })
  else if (!runs && there < length) gone.push({ from: there, to: length })
  const layout = `${bits} bits${runs ? ', run lengths' : ''}, ${topDown ? 'top-down' : 'bottom-up'}`
  const report = rawReport(
    { codec: 'BMP', width, height, orientation: 1, layout, offset, length: bytes, gone },
    rebuilt,
  )
  return {
    ...report,
    areas: report.areas.map(({ x, y, width: wide, height: high, state }) => ({
      ...{ x, y: topDown ? y : height - y - high, width: wide, height: high, state },
    })),
  }
}
