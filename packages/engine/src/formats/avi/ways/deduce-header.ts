import { ByteList } from '../../../syntax/riff/byte-list.ts'
import { SOUND } from '../read/chunk-id.ts'
import type { AviFile } from '../read/file.ts'
import type { AviHeader } from '../read/header.ts'
import { type AviStream, streamOfParts } from '../read/stream.ts'
import { deducePictures, nearestRate } from './deduce-pictures.ts'
import { assumePlainSound, deduceAac, deduceSound } from './deduce-sound.ts'

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
  const rows: number[][] = []
  for (let row = 0; row < chunks.length; row++) {
    const stream = chunks.stream[row]
    rows[stream] ??= []
    rows[stream].push(row)
  }
  // a stream of which nothing is left cannot be told
  if (rows.length === 0 || Object.keys(rows).length !== rows.length) return undefined
  const isSound = rows.map(([first]) => chunks.id[first] >>> 16 === SOUND)
  const pictures = rows.map((of, number) =>
    isSound[number] ? undefined : deducePictures(reader, chunks, of),
  )
  const main = pictures.findIndex((found) => found !== undefined)
  const video = pictures[main]
  if (!video || pictures.some((found, number) => !found && !isSound[number])) return undefined
  const sounds = rows.map((of, number) => (isSound[number] ? deduceSound(reader, chunks, of) : undefined))
  const heard = sounds.find((sound) => sound?.seconds)?.seconds
  const counted = heard ? rows[main].length / heard : undefined
  const usual = counted ? nearestRate(counted) : undefined
  const plain = rows.findIndex((_, number) => isSound[number] && !sounds[number])
  const fits = ({ rate, scale }: typeof USUAL_RATE): boolean =>
    assumePlainSound(reader, chunks, rows[plain], (rows[main].length * scale) / rate, EXACT) !== undefined
  const clock = video.rate ?? usual ?? (plain < 0 ? USUAL_RATE : (LIKELY_RATES.find(fits) ?? USUAL_RATE))
  const isNear = (rate: typeof USUAL_RATE | undefined): boolean =>
    rate !== undefined && counted !== undefined && Math.abs(rate.rate / rate.scale / counted - 1) < OFF
  let assumed = !video.rate && !isNear(usual)
  const unconfirmed = video.rate !== undefined && !isNear(video.rate) && !(plain >= 0 && fits(video.rate))
  assumed ||= pictures.some((found) => found?.assumed)
  let missing = false
  const streams: AviStream[] = []
  for (const number of rows.keys()) {
    const found = pictures[number]
    if (found)
      streams.push(pictureStream(number, found.compression, found.width, found.height, found.rate ?? clock))
    else {
      const lasting = (rows[main].length * clock.scale) / clock.rate
      const sound =
        sounds[number] ??
        deduceAac(reader, chunks, rows[number], lasting) ??
        assumePlainSound(reader, chunks, rows[number], lasting)
      if (!sound) {
        // those behind it would have other numbers without it
        if (rows.length > number + 1) return undefined
        missing = true
        continue
      }
      assumed ||= sound.assumed
      streams.push(soundStream(number, sound.format, sound.scale, sound.rate, sound.sampleSize))
    }
  }
  const main56 = new ByteList()
    .u32(Math.round((clock.scale / clock.rate) * 1e6))
    .u32(0)
    .u32(0)
    .u32(FLAGS)
  main56
    .u32(0)
    .u32(0)
    .u32(streams.length)
    .u32(0)
    .u32(video.width)
    .u32(video.height)
    .u32(0)
    .u32(0)
    .u32(0)
    .u32(0)
  const micros = Math.round((clock.scale / clock.rate) * 1e6)
  return {
    header: { main: main56.done(), totalFrames: 0, microsPerFrame: micros, streams, others: [] },
    assumed,
    unconfirmed,
    missing,
  }
}

function pictureStream(
  number: number,
  compression: string,
  width: number,
  height: number,
  { rate, scale }: { rate: number; scale: number },
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

function soundStream(
  number: number,
  format: Uint8Array,
  scale: number,
  rate: number,
  sampleSize: number,
): AviStream {
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
