import type { ByteReader } from '../../../bytes/reader.ts'
import { plainConfig } from '../../../codecs/aac/audio-specific-config.ts'
import { SAMPLING_RATES } from '../../../codecs/aac/bands.ts'
import { HEADER_BYTES, parseSyncFrame } from '../../../codecs/ac3/sync-frame.ts'
import { HEADER_BYTES as ADTS_HEADER, configOf, parseAdtsHeader } from '../../../codecs/adts/header.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { type MpegAudioHeader, parseHeader } from '../../../codecs/mp3/header.ts'
import { PcmLikeness } from '../../../codecs/pcm/likeness.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import { ByteList } from '../../../syntax/riff/byte-list.ts'
import type { ChunkTable } from '../read/chunk-table.ts'
import { framesAcross } from './frames-across.ts'

/** What sound says of itself. */
export interface DeducedSound {
  /** WAVEFORMATEX. */
  readonly format: Uint8Array
  readonly scale: number
  readonly rate: number
  readonly sampleSize: number
  /** Seconds that all its chunks last; undefined where it does not tell. */
  readonly seconds: number | undefined
  readonly assumed: boolean
}

/** Share of chunks that have to begin with a frame. */
const MOST = 0.8
const MP3 = 0x55
const MPEG = 0x50
const AC3 = 0x2000
const AAC = 0xff
/** Bytes of the longest frame, ETSI TS 102 366 Table 4.13. */
const LONGEST_AC3 = 3840
/** Samples of a frame, and bytes of the longest one a channel, ISO/IEC 14496-3 §4.5.3.1. */
const AAC_SAMPLES = 1024
const LONGEST_AAC = 768
const AAC_CHANNELS = [2, 1, 6, 4, 3, 5, 8]
/** Chunks that are listened to, and bits a sample from which they are plain sound. */
const HEARD = 40
const LIKE_SOUND = 0.2

/** Tells from a stream's chunks (`rows`) what is in them; undefined where nothing does. */
export function deduceSound(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
): DeducedSound | undefined {
  const filled = rows.filter((row) => chunks.size[row] > 4)
  return mp3(reader, chunks, filled) ?? ac3(reader, chunks, filled) ?? adts(reader, chunks, filled)
}

function mp3(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedSound | undefined {
  const starts = rows.map((row) => parseHeader(reader.u32(chunks.offset[row])))
  const heads = startMost(starts) ?? framesAcross(reader, chunks, rows, mpegHeader)
  const [first] = heads
  if (
    !first ||
    heads.some(({ sampleRate, layer }) => sampleRate !== first.sampleRate || layer !== first.layer)
  )
    return undefined
  const { sampleRate, samples, channels, layer } = first
  const isSingle =
    rows.filter((row, index) => starts[index]?.length === chunks.size[row]).length >= rows.length * MOST
  const bytes = rows.reduce((sum, row) => sum + chunks.size[row], 0)
  const isConstant = heads.every(({ bitRate }) => bitRate === first.bitRate)
  const bytesPerSecond = Math.round(heads.reduce((sum, { bitRate }) => sum + bitRate, 0) / heads.length / 8)
  const extra =
    layer === 3 ? new ByteList().u16(1).u32(2).u16(first.length).u16(1).u16(0).done() : new Uint8Array(0)
  const tag = layer === 3 ? MP3 : MPEG
  const format = waveFormat(tag, channels, sampleRate, bytesPerSecond, isSingle ? samples : 1, 0, extra)
  if (isSingle) {
    const seconds = (rows.length * samples) / sampleRate
    return { format, scale: samples, rate: sampleRate, sampleSize: 0, seconds, assumed: false }
  }
  const seconds = bytes / bytesPerSecond
  // bytes keep no time where frames differ in how many they have
  return { format, scale: 1, rate: bytesPerSecond, sampleSize: 1, seconds, assumed: !isConstant }
}

function mpegHeader(bytes: Uint8Array, at: number): MpegAudioHeader | undefined {
  return parseHeader(new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0))
}

/** The headers with which chunks begin, if most do. */
function startMost<Head>(starts: readonly (Head | undefined)[]): readonly Head[] | undefined {
  const heads = starts.filter((head) => head !== undefined)
  return heads.length >= starts.length * MOST ? heads : undefined
}

function ac3(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedSound | undefined {
  const starts = rows.map((row) => parseSyncFrame(reader.bytes(chunks.offset[row], HEADER_BYTES + 1), 0))
  const [first] = startMost(starts) ?? framesAcross(reader, chunks, rows, parseSyncFrame)
  if (!first || first.enhanced) return undefined
  const { sampleRate, length, blocks } = first
  const samples = blocks * 256
  const single = rows.filter((row) => chunks.size[row] === length).length >= rows.length * MOST
  const bytes = rows.reduce((sum, row) => sum + chunks.size[row], 0)
  const bytesPerSecond = Math.round((length * sampleRate) / samples)
  // chunks of no byte, which writers put in where sound pauses, are no frames: a block that holds any frame tells them apart
  const align = single ? LONGEST_AC3 : 1
  const format = waveFormat(AC3, 2, sampleRate, bytesPerSecond, align, 0, new Uint8Array(0))
  const seconds = bytes / bytesPerSecond
  if (single) return { format, scale: samples, rate: sampleRate, sampleSize: 0, seconds, assumed: false }
  return { format, scale: 1, rate: bytesPerSecond, sampleSize: 1, seconds, assumed: false }
}

/** AAC of which every chunk is a frame with a header of its own. */
function adts(reader: ByteReader, chunks: ChunkTable, rows: readonly number[]): DeducedSound | undefined {
  const heads = rows.map((row) => {
    const head = parseAdtsHeader(reader.bytes(chunks.offset[row], ADTS_HEADER), 0)
    return head?.length === chunks.size[row] ? head : undefined
  })
  const [first] = heads.filter((head) => head !== undefined)
  if (
    !first ||
    heads.filter((head) => head?.samplingIndex === first.samplingIndex).length < rows.length * MOST
  )
    return undefined
  const { outputSampleRate: rate, channels } = configOf(first)
  const samples = AAC_SAMPLES * first.blocks
  const seconds = (rows.length * samples) / rate
  const bytes = rows.reduce((sum, row) => sum + chunks.size[row], 0)
  const align = LONGEST_AAC * channels
  const format = waveFormat(AAC, channels, rate, Math.round(bytes / seconds), align, 16, new Uint8Array(0))
  return { format, scale: samples, rate, sampleSize: 0, seconds, assumed: false }
}

/**
 * AAC reads to its end with the right channels and tables only; which of the rates that share tables it is, how long all of it
 * lasts beside pictures of `lasting` seconds tells.
 */
export function deduceAac(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
  lasting: number,
): DeducedSound | undefined {
  const filled = rows.filter((row) => chunks.size[row] > 0)
  const off = (rate: number): number => Math.abs(Math.log((filled.length * AAC_SAMPLES) / rate / lasting))
  const [rate] = [...SAMPLING_RATES].sort((a, b) => off(a) - off(b))
  const looked = filled.slice(0, HEARD)
  const unit = new Unit()
  for (const channels of AAC_CHANNELS) {
    const config = plainConfig(rate, channels)
    if (!config || looked.length === 0) continue
    const recogniser = codecNamed('aac')?.recogniser({
      ...{ id: 1, kind: 'audio', codec: 'aac', timescale: rate, config, framing: 'raw', channels },
    })
    const whole = looked.filter((row) => {
      const [offset, size] = [chunks.offset[row], chunks.size[row]]
      return recogniser?.recognise(reader, offset, offset + size, unit) && unit.length === size
    })
    if (whole.length < looked.length * MOST) continue
    const seconds = (filled.length * AAC_SAMPLES) / rate
    const bytes = filled.reduce((sum, row) => sum + chunks.size[row], 0)
    const format = waveFormat(
      AAC,
      channels,
      rate,
      Math.round(bytes / seconds),
      LONGEST_AAC * channels,
      16,
      config,
    )
    return { format, scale: AAC_SAMPLES, rate, sampleSize: 0, seconds, assumed: false }
  }
  return undefined
}

/** Usual byte rates of plain sound: hertz, channels, bits. */
const PLAIN: readonly (readonly [number, number, number])[] = [
  ...([
    [8_000, 1, 8],
    [11_025, 1, 8],
    [8_000, 1, 16],
    [22_050, 1, 8],
    [16_000, 1, 16],
    [44_100, 1, 16],
  ] as const),
  ...([
    [48_000, 1, 16],
    [22_050, 2, 16],
    [32_000, 2, 16],
    [44_100, 2, 16],
    [48_000, 2, 16],
  ] as const),
]

/**
 * Takes sound that says nothing for plain samples of a usual kind whose bytes last as long as the pictures (`seconds`), to within
 * the share
 * `most`, and that sound like it; an assumption.
 */
export function assumePlainSound(
  reader: ByteReader,
  chunks: ChunkTable,
  rows: readonly number[],
  seconds: number,
  most = 0.05,
): DeducedSound | undefined {
  const bytes = rows.reduce((sum, row) => sum + chunks.size[row], 0)
  if (bytes === 0 || seconds <= 0) return undefined
  const heard = rows.slice(0, HEARD).map((row) => reader.bytes(chunks.offset[row], chunks.size[row]).slice())
  const [best] = PLAIN.map(([hertz, channels, bits]) => {
    const align = (channels * bits) / 8
    const off = Math.abs(Math.log((hertz * align) / (bytes / seconds)))
    return { hertz, channels, bits, align, score: off > most ? 0 : likeness(heard, channels, bits) }
  }).sort((a, b) => b.score - a.score)
  if (best.score < LIKE_SOUND) return undefined
  const { hertz, channels, bits, align } = best
  const format = waveFormat(1, channels, hertz, hertz * align, align, bits, new Uint8Array(0))
  return { format, scale: 1, rate: hertz, sampleSize: align, seconds, assumed: true }
}

/** Bits a sample by which chunks speak for plain sound of a layout. */
function likeness(heard: readonly Uint8Array[], channels: number, bits: number): number {
  const blockAlign = (channels * bits) / 8
  const like = new PcmLikeness({
    ...{ blockAlign, channels, bits, endian: 'little', float: false },
    ...{ signed: bits > 8, law: 'linear' },
  })
  const samples = heard.reduce((sum, { length }) => sum + Math.floor(length / blockAlign) * channels, 0)
  return heard.reduce((sum, bytes) => sum + like.score(bytes), 0) / Math.max(1, samples)
}

function waveFormat(
  tag: number,
  channels: number,
  rate: number,
  bytesPerSecond: number,
  align: number,
  bits: number,
  extra: Uint8Array,
): Uint8Array {
  const list = new ByteList().u16(tag).u16(channels).u32(rate).u32(bytesPerSecond).u16(align).u16(bits)
  return list.u16(extra.length).bytes(extra).done()
}
