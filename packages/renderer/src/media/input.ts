import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import { avGetCodecName, Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib'
import { RendererError } from '../errors.ts'
import type { StreamKind } from '../verification.ts'
import { type Declared, declaredBy } from './declared.ts'
import { breathe, describe, isEnvironment } from './library.ts'

/**
 * Demuxers a file may be opened with. Anything that opens further files or addresses by itself (playlists, manifests,
 * concatenation scripts, image sequences) is left out: the content of an upload chooses the demuxer.
 */
const DEMUXERS = [
  'mov',
  'matroska',
  'webm',
  'avi',
  'mpeg',
  'mpegts',
  'mpegvideo',
  'flv',
  'live_flv',
  'asf',
  'mxf',
  'dv',
  'ogg',
  'wav',
  'h264',
  'hevc',
  'm4v',
  'h263',
  'mjpeg',
  'vc1',
  'ivf',
  'aac',
  'mp3',
  'ac3',
  'eac3',
  'amr',
  'flac',
].join(',')

/** Cameras write up to 9 streams, editors up to 64. */
const STREAM_LIMIT = 128
/** Packets between two breaths. */
const BREATH_PACKETS = 32
/** Reads that may ask for patience in a row before the demuxer counts as stuck. */
const PATIENCE = 1_000

/** A demuxed stream in plain values. */
export interface InputStream {
  readonly index: number
  readonly kind: StreamKind
  readonly codec: string
  /** Seconds a tick. */
  readonly tick: number
  readonly attachedPicture: boolean
  /** The container says that its packets are: Matroska and WebM name the key once for a track (RFC 9559 §5.1.4.1.31.11). */
  readonly encrypted: boolean
  /** The container names no coding that is known here: `codec` was guessed by the bytes. */
  readonly guessed: boolean
  readonly declared: Declared
  readonly stream: Stream
}

/** An opened media file. */
export class Input {
  readonly format: FormatContext
  readonly streams: readonly InputStream[]
  /** Seconds the container claims, 0 when it does not say. */
  readonly duration: number
  /** Seconds of the first time stamp. */
  readonly start: number

  constructor(format: FormatContext, declared: readonly Declared[], unnamed: ReadonlySet<number>) {
    this.format = format
    this.streams = format.streams.map((stream) =>
      describeStream(stream, declared[stream.index] ?? {}, unnamed),
    )
    this.duration = microseconds(format.duration)
    this.start = microseconds(format.startTime)
  }

  /**
   * Reads every packet in file order; the packet is reused. A number says why it ended early: the library's code of a
   * demuxing error, 0 at the regular end of the file.
   */
  async *packets(): AsyncGenerator<Packet, number> {
    const packet = new Packet()
    packet.alloc()
    let patience = PATIENCE
    try {
      for (let count = 1; ; count++) {
        const code = this.format.readFrameSync(packet)
        if (code === AVERROR_EAGAIN && patience-- > 0) continue
        if (code < 0) return code === AVERROR_EOF ? 0 : code
        patience = PATIENCE
        yield packet
        packet.unref()
        if (count % BREATH_PACKETS === 0) await breathe()
      }
    } finally {
      packet.free()
    }
  }

  close(): void {
    this.format.closeInputSync()
  }
}

/** Opens a file by its content. @throws RendererError `input` or `environment` */
export function openInput(path: string): Input {
  const format = new FormatContext()
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: DEMUXERS,
    max_streams: STREAM_LIMIT,
  })
  // The prefix keeps a path with a colon from being taken for an address.
  const opened = format.openInputSync(`file:${path}`, null, options)
  if (opened < 0) {
    throw new RendererError(
      isEnvironment(opened, path) ? 'environment' : 'input',
      `cannot open the file: ${describe(opened)}`,
    )
  }
  // looking for streams decodes some of them, and what they declare gives way to that
  const declared = format.streams.map((stream) => declaredBy(stream, codecOf(stream)))
  const nameless = format.streams.filter(({ codecpar }) => codecpar.codecId === AV_CODEC_ID_NONE)
  const unnamed = new Set(nameless.map(({ index }) => index))
  const found = format.findStreamInfoSync()
  if (found < 0) {
    format.closeInputSync()
    throw new RendererError('input', `cannot find the file's streams: ${describe(found)}`)
  }
  return new Input(format, declared, unnamed)
}

function describeStream(stream: Stream, declared: Declared, unnamed: ReadonlySet<number>): InputStream {
  const parameters = stream.codecpar
  return {
    index: stream.index,
    kind: kindOf(parameters.codecType),
    codec: codecOf(stream),
    tick: stream.timeBase.num / stream.timeBase.den,
    attachedPicture: stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
    encrypted: stream.metadata?.get('enc_key_id') != null,
    guessed: unnamed.has(stream.index),
    declared,
    stream,
  }
}

function codecOf({ codecpar }: Stream): string {
  return avGetCodecName(codecpar.codecId) ?? 'unknown'
}

function kindOf(type: number): StreamKind {
  if (type === AVMEDIA_TYPE_VIDEO) return 'video'
  if (type === AVMEDIA_TYPE_AUDIO) return 'audio'
  return type === AVMEDIA_TYPE_SUBTITLE ? 'text' : 'data'
}

/** The library's time in seconds; it writes "unknown" as the smallest number of 64 bits. */
function microseconds(value: bigint): number {
  return value < -(2n ** 62n) ? 0 : Number(value) / 1e6
}
