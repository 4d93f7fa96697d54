import type { ByteReader } from '../../../bytes/reader.ts'
import { ByteReader as Reader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { configurationOf, InBandH264 } from '../../../codecs/h264/in-band.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { layerOf } from '../../../codecs/mpeg4/headers.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { ChunkTable } from '../read/chunk-table.ts'

/** What pictures say of themselves. */
export interface DeducedPictures {
  readonly compression: string
  readonly width: number
  readonly height: number
  /** Pictures a second as `rate / scale`; undefined where they do not tell. */
  readonly rate: { readonly rate: number; readonly scale: number } | undefined
  /** Nothing tells for which decoder pictures are meant: they differ in how they round. */
  readonly assumed?: boolean
}

/** Pictures looked at for parameter sets and numbers. */
const LOOKED = 300
const HEAD = 4096
/** Bytes of a DV picture of 525 and 625 lines, IEC 61834-2. */
const DV_NTSC = 120_000
const DV_PAL = 144_000

/** Tells from a stream's chunks (`rows`) what is in them; undefined where they are of no known kind. */
export function deducePictures(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
): DeducedPictures | undefined {
  const seen = rows.filter((row) => chunks.size[row] > 16).slice(0, LOOKED)
  return (
    mpeg4(reader, chunks, seen) ??
    mjpeg(reader, chunks, seen) ??
    dv(reader, chunks, seen) ??
    h264(reader, chunks, seen)
  )
}

function mpeg4(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedPictures | undefined {
  for (const [index, row] of rows.entries()) {
    const offset = chunks.offset[row]
    if (reader.u24(offset) !== 1) return undefined
    const head = reader.bytes(offset, Math.min(HEAD, chunks.size[row])).slice()
    const layer = layerOf(new Reader(new MemorySource(head)))
    if (!layer) continue
    const recogniser = codecNamed('mpeg4')?.recogniser({
      ...{ id: 1, kind: 'video', codec: 'mpeg4', timescale: 1 },
      ...{ config: new Uint8Array(0), framing: 'raw' },
    })
    const unit = new Unit()
    for (const next of rows.slice(index, index + 40)) {
      const at = chunks.offset[next]
      if (recogniser?.recognise(reader, at, at + chunks.size[next], unit)) recogniser.accept(reader, at, unit)
    }
    const scale = layer.fixedIncrement || recogniser?.orderStep || 0
    const { width, height, timeResolution } = layer
    const signed = signedCompression(head)
    return {
      compression: signed ?? NEUTRAL,
      assumed: signed === undefined,
      width,
      height,
      rate: scale > 0 ? { rate: timeResolution, scale } : undefined,
    }
  }
  return undefined
}

/**
 * Names that encoders of MPEG-4 sign with in user data, and the codes that their decoders expect; others say what any decoder
 * takes.
 */
const ENCODERS: readonly (readonly [sign: string, compression: string])[] = [
  ['XviD', 'XVID'],
  ['DivX', 'DX50'],
]
const NEUTRAL = 'FMP4'

function signedCompression(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head)
  return ENCODERS.find(([sign]) => text.includes(sign))?.[1]
}

function mjpeg(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedPictures | undefined {
  for (const row of rows) {
    const offset = chunks.offset[row]
    const end = offset + chunks.size[row]
    if (reader.u24(offset) !== 0xffd8ff) return undefined
    // segments up to the frame header, ITU-T T.81 §B.2.2
    for (let at = offset + 2; at + 9 < end && reader.u8(at) === 0xff; at += 2 + reader.u16(at + 2)) {
      const marker = reader.u8(at + 1)
      if (marker < 0xc0 || marker > 0xc2) continue
      return { compression: 'MJPG', width: reader.u16(at + 7), height: reader.u16(at + 5), rate: undefined }
    }
  }
  return undefined
}

function dv(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedPictures | undefined {
  const [first] = rows
  if (first === undefined || reader.u24(chunks.offset[first]) >> 8 !== 0x1f07) return undefined
  const size = chunks.size[first]
  if (size === DV_PAL) return { compression: 'dvsd', width: 720, height: 576, rate: { rate: 25, scale: 1 } }
  if (size !== DV_NTSC) return undefined
  return { compression: 'dvsd', width: 720, height: 480, rate: { rate: 30_000, scale: 1001 } }
}

function h264(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedPictures | undefined {
  const sets = new InBandH264()
  for (const row of rows)
    sets.search(reader, chunks.offset[row], chunks.offset[row] + Math.min(HEAD, chunks.size[row]))
  const [best] = sets.sets()
  if (!best) return undefined
  const { width, height, rate } = configurationOf(best, 4)
  const told = typeof rate === 'number' ? rate : undefined
  return { compression: 'H264', width, height, rate: told && told > 0 ? nearestRate(told) : undefined }
}

/** Usual rates of pictures, as fractions. */
const RATES: readonly (readonly [number, number])[] = [
  ...([
    [5, 1],
    [8, 1],
    [10, 1],
    [12, 1],
    [12_500, 1000],
    [15, 1],
    [15_000, 1001],
    [16, 1],
    [20, 1],
  ] as const),
  ...([
    [24_000, 1001],
    [24, 1],
    [25, 1],
    [30_000, 1001],
    [30, 1],
    [48, 1],
    [50, 1],
    [60_000, 1001],
    [60, 1],
  ] as const),
  ...([
    [100, 1],
    [120, 1],
  ] as const),
]

/** The usual rate nearest to pictures a second, as they are told or counted. */
export function nearestRate(perSecond: number): { rate: number; scale: number } {
  const off = ([rate, scale]: readonly [number, number]): number =>
    Math.abs(Math.log(rate / scale / perSecond))
  const [[rate, scale]] = [...RATES].sort((a, b) => off(a) - off(b))
  return { rate, scale }
}
