import type { ByteReader } from '../../../bytes/reader.ts'
import { parseAvcC } from '../../../codecs/h264/avcc.ts'
import { parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import type { TrackKind } from '../../../model/report.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { type BitmapInfo, bitmapCodec, parseBitmapInfo } from '../../../syntax/riff/bitmap-info.ts'
import { type Chunk, chunksIn } from '../../../syntax/riff/chunk.ts'
import { parseWaveFormat, type WaveFormat, waveCodec } from '../../../syntax/riff/wave-format.ts'

/** Fields of a stream's header, AVISTREAMHEADER. */
export interface StreamHeader {
  readonly type: string
  readonly handler: string
  readonly scale: number
  /** Units a second times `scale`. */
  readonly rate: number
  readonly start: number
  readonly length: number
  /** Bytes of a unit; 0 where each chunk is one. */
  readonly sampleSize: number
}

/** A part of a stream's list, as it stands. */
export interface StreamPart {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface AviStream {
  readonly number: number
  readonly header: StreamHeader
  /** All parts of its list in their order, the header and an index of indexes among them. */
  readonly parts: readonly StreamPart[]
  readonly description: TrackDescription
  readonly bitmap: BitmapInfo | undefined
  readonly wave: WaveFormat | undefined
}

const MAX_PARTS = 64
const HEADER_BYTES = 48
const KINDS: Readonly<Record<string, TrackKind>> = {
  vids: 'video',
  auds: 'audio',
  txts: 'text',
  iavs: 'video',
}

/** Reads a stream's list; undefined where no header is among its parts. */
export function readStream(
  reader: ByteReader,
  list: Chunk,
  to: number,
  number: number,
): AviStream | undefined {
  const parts = chunksIn(reader, list.body, Math.min(list.end, to), MAX_PARTS).map(({ id, offset, end }) => ({
    id,
    bytes: reader.bytes(offset + 8, end - offset - 8).slice(),
  }))
  return streamOfParts(parts, number)
}

/** A stream of its parts; undefined where no header is among them. */
export function streamOfParts(parts: readonly StreamPart[], number: number): AviStream | undefined {
  const header = parseStreamHeader(parts.find(({ id }) => id === 'strh')?.bytes)
  if (!header) return undefined
  const format = parts.find(({ id }) => id === 'strf')?.bytes ?? new Uint8Array(0)
  const bitmap = header.type === 'vids' ? parseBitmapInfo(format) : undefined
  const wave = header.type === 'auds' ? parseWaveFormat(format) : undefined
  return { number, header, parts, bitmap, wave, description: describe(number, header, bitmap, wave) }
}

function parseStreamHeader(bytes: Uint8Array | undefined): StreamHeader | undefined {
  if (!bytes || bytes.length < HEADER_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    type: String.fromCharCode(...bytes.subarray(0, 4)),
    handler: String.fromCharCode(...bytes.subarray(4, 8)),
    scale: view.getUint32(20, true),
    rate: view.getUint32(24, true),
    start: view.getUint32(28, true),
    length: view.getUint32(32, true),
    sampleSize: view.getUint32(44, true),
  }
}

function describe(
  number: number,
  header: StreamHeader,
  bitmap: BitmapInfo | undefined,
  wave: WaveFormat | undefined,
): TrackDescription {
  const id = number + 1
  const kind = KINDS[header.type] ?? 'data'
  const timescale = header.rate > 0 && header.scale > 0 ? header.rate : 25
  const base = { id, kind, timescale }
  if (header.type === 'iavs') return { ...base, codec: 'dv', config: new Uint8Array(0), framing: 'raw' }
  if (bitmap) {
    const codec = bitmapCodec(bitmap.compression)
    return {
      ...base,
      codec,
      ...codingOf(codec, bitmap.extra),
      width: bitmap.width,
      height: Math.abs(bitmap.height),
    }
  }
  if (wave) {
    return {
      ...base,
      codec: waveCodec(wave.tag),
      config: wave.extra,
      framing: 'raw',
      sampleRate: wave.sampleRate,
      channels: wave.channels,
      blockAlign: wave.blockAlign,
      facts: { bitsPerSample: wave.bitsPerSample, endian: 'little' },
    }
  }
  return {
    ...base,
    codec: header.type.trim().toLowerCase() || 'unknown',
    config: new Uint8Array(0),
    framing: 'raw',
  }
}

/**
 * A codec's configuration, and how its units are framed: H.264 and HEVC stand behind start codes but where a configuration record
 * of ISO/IEC 14496-15 tells of lengths.
 */
function codingOf(codec: string, extra: Uint8Array): Pick<TrackDescription, 'config' | 'framing'> {
  if (codec !== 'h264' && codec !== 'hevc') return { config: extra, framing: 'raw' }
  const isRecord = codec === 'h264' ? parseAvcC(extra) !== undefined : parseHvcC(extra) !== undefined
  if (isRecord) return { config: extra, framing: 'length' }
  return { config: extra[0] === 0 ? extra : new Uint8Array(0), framing: 'startcode' }
}

/** Seconds of a unit (a chunk, or `sampleSize` bytes); 0 where the header does not say. */
export function unitSeconds({ header }: AviStream): number {
  return header.rate > 0 ? header.scale / header.rate : 0
}
