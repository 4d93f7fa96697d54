import type { ByteReader } from '../../../bytes/reader.ts'
import { ByteList } from '../../../syntax/riff/byte-list.ts'
import { SOUND } from '../read/chunk-id.ts'
import type { ChunkTable } from '../read/chunk-table.ts'
import type { AviFile } from '../read/file.ts'
import type { AviHeader } from '../read/header.ts'
import { type AviStream, streamOfParts } from '../read/stream.ts'
import { type DeducedPictures, deducePictures, nearestRate } from './deduce-pictures.ts'
import { assumePlainSound, type DeducedSound, deduceAac, deduceSound } from './deduce-sound.ts'

/** Pictures a second where nothing tells. */
const USUAL_RATE = { rate: 25, scale: 1 }
/** Counted pictures may be off the usual rate by this share. */
const OFF = 0.01
/** Rates of cameras without a codec that tells it, the commonest first, and the share by which sound beside them may be off. */
const LIKELY_RATES = [30, 25, 15, 24, 20, 10, 12, 60].map((rate) => ({ rate, scale: 1 }))
const EXACT = 0.015
/** AVIF_HASINDEX and AVIF_ISINTERLEAVED. */
const FLAGS = 0x110

/** A header that streams tell, and what they do not. */
export interface DeducedHeader {
  readonly header: AviHeader
  /** Facts that nothing told. */
  readonly assumed: boolean
  /** The pictures' rate is what their bitstream states: no sound beside them tells one. */
  readonly unconfirmed: boolean
  /** A last stream of sound is left out, of which nothing tells what it is. */
  readonly missing: boolean
}

/**
 * A header put together from what the streams say of themselves, without a last one of sound that says nothing; undefined where
 * they say too little.
 */
export function deduceHeader({ reader, walk: { chunks } }: AviFile): DeducedHeader | undefined {
  const told = toldStreams(reader, chunks)
  if (!told) return undefined
  const pace = paceOf(reader, chunks, told)
  const { clock } = pace
  const lasting = (told.rows[told.main].length * clock.scale) / clock.rate
  const streams: AviStream[] = []
  let { assumed } = pace
  for (const [number, rows] of told.rows.entries()) {
    const found = told.pictures[number]
    if (found) {
      assumed ||= found.assumed ?? false
      streams.push(pictureStream(number, found, found.rate ?? clock))
      continue
    }
    const sound =
      told.sounds[number] ??
      deduceAac(reader, chunks, rows, lasting) ??
      assumePlainSound(reader, chunks, rows, lasting)
    // those behind one that is left out would have other numbers
    if (!sound && told.rows.length > number + 1) return undefined
    if (!sound) continue
    assumed ||= sound.assumed
    streams.push(soundStream(number, sound))
  }
  const micros = Math.round((clock.scale / clock.rate) * 1e6)
  const main = mainHeader(micros, streams.length, told.video)
  return {
    header: { main, totalFrames: 0, microsPerFrame: micros, streams, others: [] },
    assumed,
    unconfirmed: pace.unconfirmed,
    missing: streams.length < told.rows.length,
  }
}

/** What streams say of themselves, by their numbers. */
interface ToldStreams {
  /** Rows of their chunks. */
  readonly rows: readonly (readonly number[])[]
  readonly pictures: readonly (DeducedPictures | undefined)[]
  /** Undefined of pictures, and of sound that says nothing. */
  readonly sounds: readonly (DeducedSound | undefined)[]
  /** The number of the first one of pictures, and what it says. */
  readonly main: number
  readonly video: DeducedPictures
}

/** Undefined where nothing is left of a stream, no stream is pictures, or pictures say nothing. */
function toldStreams(reader: ByteReader, chunks: ChunkTable): ToldStreams | undefined {
  const rows: number[][] = []
  for (let row = 0; row < chunks.length; row++) {
    const stream = chunks.stream[row]
    rows[stream] ??= []
    rows[stream].push(row)
  }
  if (rows.length === 0 || Object.keys(rows).length !== rows.length) return undefined
  const isSound = rows.map(([first]) => chunks.id[first] >>> 16 === SOUND)
  const pictures = rows.map((of, number) =>
    isSound[number] ? undefined : deducePictures(reader, chunks, of),
  )
  const main = pictures.findIndex((found) => found !== undefined)
  const video = pictures[main]
  if (!video || pictures.some((found, number) => !found && !isSound[number])) return undefined
  const sounds = rows.map((of, number) => (isSound[number] ? deduceSound(reader, chunks, of) : undefined))
  return { rows, pictures, sounds, main, video }
}

/** How fast pictures play, and what of that nothing told or nothing but themselves. */
interface Pace {
  readonly clock: Clock
  readonly assumed: boolean
  readonly unconfirmed: boolean
}

type Clock = { readonly rate: number; readonly scale: number }

/** The rate that pictures state, else the usual one nearest to what sound beside them counts, else a likely one. */
function paceOf(
  reader: ByteReader,
  chunks: ChunkTable,
  { rows, sounds, pictures, main, video }: ToldStreams,
): Pace {
  const heard = sounds.find((sound) => sound?.seconds)?.seconds
  const count = rows[main].length
  const counted = heard ? count / heard : undefined
  const usual = counted ? nearestRate(counted) : undefined
  const plain = rows.findIndex((_, number) => !pictures[number] && !sounds[number])
  const fits = ({ rate, scale }: Clock): boolean =>
    plain >= 0 && assumePlainSound(reader, chunks, rows[plain], (count * scale) / rate, EXACT) !== undefined
  const isNear = (rate: Clock | undefined): boolean =>
    rate !== undefined && counted !== undefined && Math.abs(rate.rate / rate.scale / counted - 1) < OFF
  return {
    clock: video.rate ?? usual ?? LIKELY_RATES.find(fits) ?? USUAL_RATE,
    assumed: !video.rate && !isNear(usual),
    unconfirmed: video.rate !== undefined && !isNear(video.rate) && !fits(video.rate),
  }
}

/** AVIMAINHEADER, without the counts that are written with the data. */
function mainHeader(micros: number, streams: number, { width, height }: DeducedPictures): Uint8Array {
  const list = new ByteList().u32(micros).u32(0).u32(0).u32(FLAGS).u32(0).u32(0).u32(streams).u32(0)
  return list.u32(width).u32(height).u32(0).u32(0).u32(0).u32(0).done()
}

function pictureStream(
  number: number,
  { compression, width, height }: DeducedPictures,
  { rate, scale }: Clock,
): AviStream {
  const format = new ByteList().u32(40).u32(width).u32(height).u16(1).u16(24).text(compression)
  format
    .u32(width * height * 3)
    .u32(0)
    .u32(0)
    .u32(0)
    .u32(0)
  return made(number, 'vids', compression, scale, rate, 0, format.done())
}

function soundStream(number: number, { format, scale, rate, sampleSize }: DeducedSound): AviStream {
  return made(number, 'auds', '\0\0\0\0', scale, rate, sampleSize, format)
}

function made(
  number: number,
  type: string,
  handler: string,
  scale: number,
  rate: number,
  sampleSize: number,
  format: Uint8Array,
): AviStream {
  const header = new ByteList().text(type).text(handler).u32(0).u32(0).u32(0).u32(scale).u32(rate)
  header.u32(0).u32(0).u32(0).u32(0xffff_ffff).u32(sampleSize).u32(0).u32(0)
  const parts = [
    { id: 'strh', bytes: header.done() },
    { id: 'strf', bytes: format },
  ]
  const stream = streamOfParts(parts, number)
  if (!stream) throw new Error('a header that was just written does not parse')
  return stream
}
