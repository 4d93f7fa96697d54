import { bitsApart } from '../../bytes/bits-apart.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { isZero } from '../../bytes/zeros.ts'
import type { Monitor } from '../../model/monitor.ts'
import { fitRows, rowDifference, rowsAgree } from './fit.ts'
import { holesOf } from './holes.ts'
import {
  CORE,
  DEPTHS,
  FILE_HEADER,
  FULL,
  INFO_SIZES,
  type Info,
  isCoded,
  isSigned,
  leastOffset,
  paletteStart,
  plainBytes,
  readInfo,
  strideOf,
} from './read.ts'
import type { Front } from './write.ts'

/** Bytes of the longest header, and of masks behind one. */
const MOST_HEADER = 140
/** Bits of a field that were turned where its value is sure: one that was overwritten differs in more. */
const FEW_BITS = 2
/** A row of pixels that fills whole words: what stands behind the last one is less than a word. */
const WORD = 4
/** Furthest place of the first pixel. */
const MOST_OFFSET = 4_096

/** A header with another value in one field. */
interface Variant {
  readonly header: Uint8Array
  readonly info: Info
}

/**
 * The file's own header with that one field told anew in which it contradicts the place of the pixels and the bytes they take;
 * where both width and height were hit, by the rows that are most alike. Undefined where no field does, or rows do not go on.
 */
export async function retoldFront(reader: ByteReader, monitor: Monitor): Promise<Front | undefined> {
  const offset = reader.u32le(10)
  const declared = reader.u32le(2)
  const placed = offset >= FILE_HEADER + CORE && offset < Math.min(MOST_OFFSET, reader.size)
  if (!isSigned(reader) || !placed || declared < reader.size) return undefined
  const header = Uint8Array.from(reader.bytes(FILE_HEADER, Math.min(MOST_HEADER, offset - FILE_HEADER)))
  const pixels = pixelBytes(header, declared - offset)
  const there = Math.min(pixels, reader.size - offset)
  const fitting = variantsOf(header, pixels).flatMap((each) => fittedTo(each, offset, pixels) ?? [])
  const cost = ({ info }: Variant): number => rowDifference(reader, offset, there, strideOf(info))
  const apart = (each: Variant): number => bitsApart(header, each.header)
  const [best, next] = fitting.sort((a, b) => cost(a) - cost(b) || apart(a) - apart(b))
  const chosen = best ?? sizedByRows(reader, header, offset, { bytes: pixels, there })
  if (!chosen || !rowsAgree(reader, offset, there, strideOf(chosen.info))) return undefined
  const closest = best !== undefined && apart(best) <= FEW_BITS && (!next || apart(next) > apart(best))
  const sure = closest && !lacksSize(header)
  const { info } = chosen
  const length = plainBytes(info)
  const start = FILE_HEADER + paletteStart(info)
  if (info.bits <= 8 && isZero(reader, start, offset)) return undefined
  const holes = await holesOf(reader, { offset, length }, strideOf(info), monitor)
  return {
    placed: {
      ...{ info, at: FILE_HEADER, offset, sure: true, length, runs: undefined, holes },
      ...{ paletteLost: false, profileCut: false },
    },
    header: chosen.header.slice(0, paletteStart(info)),
    palette: Uint8Array.from(reader.bytes(start, offset - start)),
    from: sure ? 'file' : 'fitted',
  }
}

/** Bytes of the pixels as the header says, where it does, else all behind it. */
function pixelBytes(header: Uint8Array, there: number): number {
  const view = new DataView(header.buffer)
  const told = header.length >= FULL && view.getUint32(0, true) >= FULL ? view.getUint32(20, true) : 0
  return told > 0 && told <= there ? told : there
}

/** Whether width or height are zeros, which few bits part from many numbers. */
function lacksSize(header: Uint8Array): boolean {
  const core = header.length < FULL || header[0] === CORE
  const [width, height, end] = core ? [4, 6, 8] : [4, 8, 12]
  const isBlank = (from: number, to: number): boolean => header.subarray(from, to).every((byte) => byte === 0)
  return isBlank(width, height) || isBlank(height, end)
}

/** A variant that tells of pixels where they begin, and of as many as there are. */
function fittedTo(header: Uint8Array, offset: number, pixels: number): Variant | undefined {
  const info = readInfo(new ByteReader(new MemorySource(header)), 0)
  if (!info || isCoded(info) || FILE_HEADER + leastOffset(info) !== offset) return undefined
  const rest = pixels - plainBytes(info)
  return rest >= 0 && rest < WORD ? { header, info } : undefined
}

/** Headers that differ from one in a field: height, width, depth, coding, the header's size, the number of colours. */
function variantsOf(header: Uint8Array, pixels: number): readonly Uint8Array[] {
  const view = new DataView(header.buffer)
  const core = header.length < SHORTEST || view.getUint32(0, true) === CORE
  const word = (at: number, value: number): Uint8Array => changed(header, at, value, 4)
  const half = (at: number, value: number): Uint8Array => changed(header, at, value, 2)
  const width = core ? view.getUint16(4, true) : view.getUint32(4, true)
  const signed = core ? view.getUint16(6, true) : view.getInt32(8, true)
  const bits = view.getUint16(core ? 10 : 14, true)
  const size = core ? half : word
  const rows = Math.floor(pixels / strideOf({ width, bits }))
  const row = Math.floor(pixels / Math.abs(signed) / WORD) * WORD
  return [
    size(core ? 6 : 8, signed < 0 ? -rows : rows),
    ...widthsOf(row, bits).map((each) => size(4, each)),
    ...[...DEPTHS].map((depth) => half(core ? 10 : 14, depth)),
    ...[...INFO_SIZES].map((bytes) => word(0, bytes)),
    ...(header.length < FULL ? [] : [word(16, 0), word(16, 3), word(32, 0)]),
  ]
}

/** Bytes of the shortest header with fields of whole words. */
const SHORTEST = 16

/** Widths whose rows take so many bytes. */
function widthsOf(row: number, bits: number): readonly number[] {
  if (!DEPTHS.has(bits) || row <= 0) return []
  const most = Math.floor((row * 8) / bits)
  const least = Math.floor(((row - WORD) * 8) / bits) + 1
  return Array.from({ length: most - least + 1 }, (_, i) => least + i)
}

function changed(header: Uint8Array, at: number, value: number, bytes: 2 | 4): Uint8Array {
  const copy = header.slice()
  if (at + bytes > copy.length) return copy
  const view = new DataView(copy.buffer)
  if (bytes === 2) view.setUint16(at, value, true)
  else view.setUint32(at, value, true)
  return copy
}

/** A header whose width and height are those of the rows, where the rest of it is right. */
function sizedByRows(
  reader: ByteReader,
  header: Uint8Array,
  offset: number,
  pixels: { readonly bytes: number; readonly there: number },
): Variant | undefined {
  if (header.length < FULL) return undefined
  const sized = (width: number, height: number): Variant | undefined => {
    const copy = changed(changed(header, 4, width, 4), 8, height, 4)
    const info = readInfo(new ByteReader(new MemorySource(copy)), 0)
    return info && !isCoded(info) && FILE_HEADER + leastOffset(info) === offset
      ? { header: copy, info }
      : undefined
  }
  const bits = sized(1, 1)?.info.bits
  const rows = bits === undefined ? undefined : fitRows(reader, offset, pixels, [bits])
  return rows && sized(rows.width, rows.height)
}
