import type { ByteReader } from '../../../bytes/reader.ts'
import { ByteReader as Reader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { configurationOf, InBandH264 } from '../../../codecs/h264/in-band.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { layerOf } from '../../../codecs/mpeg4/headers.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { PICTURE_SIGHTS, type Sight } from '../../../recording/deduce/picture-sights.ts'
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

/** Tells from a stream's chunks (`rows`) what is in them; undefined where they are of no known kind. */
export function deducePictures(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
): DeducedPictures | undefined {
  const seen = rows.filter((row) => chunks.size[row] > 16).slice(0, LOOKED)
  return mpeg4(reader, chunks, seen) ?? selfDescribing(reader, chunks, seen) ?? h264(reader, chunks, seen)
}

function mpeg4(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedPictures | undefined {
  for (const [index, row] of rows.entries()) {
    const offset = chunks.offset[row]
    if (reader.u24(offset) !== 1) return undefined
    const head = reader.bytes(offset, Math.min(HEAD, chunks.size[row])).slice()
    const layer = layerOf(new Reader(new MemorySource(head)))
    if (!layer) continue
    const recogniser = codecNamed('mpeg4')?.recogniser(nameless('mpeg4'))
    const unit = new Unit()
    for (const next of rows.slice(index, index + TRIED)) {
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

/** Codecs each of whose key pictures describes itself, and what AVI calls them. */
const SELF_DESCRIBING = [
  ...([
    ['mjpeg', 'MJPG'],
    ['dv', 'dvsd'],
    ['mpeg1video', 'mpg1'],
    ['mpeg2video', 'mpg2'],
  ] as const),
  ...([
    ['cinepak', 'cvid'],
    ['h263', 'H263'],
    ['vp9', 'VP90'],
    ['vp8', 'VP80'],
  ] as const),
]
/** What AVI calls DV of more than 25 Mbit/s, by what QuickTime calls it. */
const FURTHER_DV: Readonly<Record<string, string>> = {
  ...{ dv5n: 'dv50', dv5p: 'dv50', dvh5: 'dvh1', dvh6: 'dvh1', dvhp: 'dvh1', dvhq: 'dvh1' },
}
/** Pictures of which most have to be a codec's, and evidence of the one that describes them. */
const TRIED = 40
const MOST = 0.8
const WORTH = 24

function selfDescribing(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
): DeducedPictures | undefined {
  const tried = rows.slice(0, TRIED)
  for (const [codec, compression] of SELF_DESCRIBING) {
    const sight = firstSight(reader, chunks, tried, codec)
    if (!sight || !areMostOf(reader, chunks, tried, { ...nameless(codec), ...sizeOf(sight) })) continue
    const { variant = '', rate } = sight
    return {
      compression: FURTHER_DV[variant] ?? compression,
      ...sizeOf(sight),
      rate: rate && { rate: rate.num, scale: rate.den },
    }
  }
  return undefined
}

function sizeOf({ width, height }: Sight): Pick<Sight, 'width' | 'height'> {
  return { width, height }
}

/** What the first picture that is a codec's says of itself. */
function firstSight(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
  codec: (typeof SELF_DESCRIBING)[number][0],
): Sight | undefined {
  const recogniser = codecNamed(codec)?.recogniser(nameless(codec))
  const unit = new Unit()
  for (const row of rows) {
    const offset = chunks.offset[row]
    const isOne = recogniser?.recognise(reader, offset, offset + chunks.size[row], unit) && unit.key
    const sight =
      isOne && unit.evidence >= WORTH ? PICTURE_SIGHTS[codec](reader, offset, unit.length) : undefined
    if (sight) return sight
  }
  return undefined
}

/** Whether most pictures are of the track, as each is read once those before it were. */
function areMostOf(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
  track: TrackDescription,
): boolean {
  const recogniser = codecNamed(track.codec)?.recogniser(track)
  const unit = new Unit()
  let found = 0
  for (const row of rows) {
    const offset = chunks.offset[row]
    if (!recogniser?.recognise(reader, offset, offset + chunks.size[row], unit)) continue
    recogniser.accept(reader, offset, unit)
    found++
  }
  return found >= rows.length * MOST
}

function nameless(codec: string): TrackDescription {
  return { id: 1, kind: 'video', codec, timescale: 1, config: new Uint8Array(0), framing: 'raw' }
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
