import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_QSCALE,
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  type AVSampleFormat,
  type FFAudioEncoder,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib'
import type { Signal } from './signals.ts'

export interface Encoding {
  readonly encoder: FFAudioEncoder
  readonly rate: number
  readonly channels: number
  readonly signal: Signal
  /** Samples per channel. */
  readonly samples: number
  readonly bitRate?: number
  readonly format?: AVSampleFormat
  /** Variable bit rate at this quality, in the encoder's own steps. */
  readonly quality?: number
  readonly options?: Readonly<Record<string, string>>
}

export interface Encoded {
  readonly config: Uint8Array
  readonly packets: readonly Uint8Array[]
  /** Samples a packet holds, as the encoder says. */
  readonly frameSize: number
}

/** Channel masks of WAVE order by number of channels. */
const MASKS: readonly bigint[] = [0n, 0x4n, 0x3n, 0x7n, 0x107n, 0x37n, 0x3fn, 0x70fn, 0xffn]
const CHUNK = 1024
/** FF_QP2LAMBDA. */
const LAMBDA_PER_STEP = 118

Log.setLevel(AV_LOG_QUIET)

/** Encodes a signal with one of FFmpeg's encoders. */
export function encode(encoding: Encoding): Encoded {
  const { rate, channels } = encoding
  const codec = Codec.findEncoderByName(encoding.encoder)
  if (!codec) throw new Error(`no encoder ${encoding.encoder}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  const format = encoding.format ?? codec.sampleFormats?.[0] ?? AV_SAMPLE_FMT_FLTP
  const layout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: MASKS[channels] }
  context.sampleFormat = format
  context.sampleRate = rate
  context.channelLayout = layout
  context.timeBase = new Rational(1, rate)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  if (encoding.bitRate !== undefined) context.bitRate = BigInt(encoding.bitRate)
  if (encoding.quality !== undefined) {
    context.setFlags(AV_CODEC_FLAG_QSCALE)
    context.globalQuality = encoding.quality * LAMBDA_PER_STEP
  }
  // Not a dictionary at opening: FFmpeg frees that, and the collector would again.
  for (const [name, value] of Object.entries(encoding.options ?? {})) {
    FFmpegError.throwIfError(
      context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN),
      `option ${name}`,
    )
  }
  FFmpegError.throwIfError(context.open2Sync(codec, null), `open ${encoding.encoder}`)
  const frameSize = context.frameSize || CHUNK
  const packets: Uint8Array[] = []
  const packet = new Packet()
  packet.alloc()
  const drain = (): void => {
    while (context.receivePacketSync(packet) >= 0) {
      if (packet.data) packets.push(Uint8Array.from(packet.data))
      packet.unref()
    }
  }
  for (let at = 0; at < encoding.samples; at += frameSize) {
    const length = Math.min(frameSize, encoding.samples - at)
    const frame = Frame.fromAudioBuffer(samples(encoding.signal, format, channels, at, length), {
      nbSamples: length,
      format,
      sampleRate: rate,
      channelLayout: layout,
      timeBase: new Rational(1, rate),
    })
    frame.pts = BigInt(at)
    FFmpegError.throwIfError(context.sendFrameSync(frame), 'sendFrame')
    frame.free()
    drain()
  }
  context.sendFrameSync(null)
  drain()
  const config = Uint8Array.from(context.extraData ?? [])
  packet.free()
  context.freeContext()
  return { config, packets, frameSize }
}

/** `length` samples of all channels, laid out as FFmpeg's sample format wants them. */
function samples(
  signal: Signal,
  format: AVSampleFormat,
  channels: number,
  from: number,
  length: number,
): Buffer {
  const planar =
    format === AV_SAMPLE_FMT_FLTP || format === AV_SAMPLE_FMT_S16P || format === AV_SAMPLE_FMT_S32P
  const float = format === AV_SAMPLE_FMT_FLTP || format === AV_SAMPLE_FMT_FLT
  const wide = float || format === AV_SAMPLE_FMT_S32P || format === AV_SAMPLE_FMT_S32
  if (!wide && format !== AV_SAMPLE_FMT_S16P && format !== AV_SAMPLE_FMT_S16) {
    throw new Error(`sample format ${format} is not written here`)
  }
  const width = wide ? 4 : 2
  const buffer = Buffer.alloc(length * channels * width)
  for (let sample = 0; sample < length; sample++) {
    for (let channel = 0; channel < channels; channel++) {
      const value = Math.max(-1, Math.min(1, signal(from + sample, channel)))
      const place = (planar ? channel * length + sample : sample * channels + channel) * width
      if (float) buffer.writeFloatLE(value, place)
      else if (wide) buffer.writeInt32LE(Math.round(value * 0x7fff_ff00), place)
      else buffer.writeInt16LE(Math.round(value * 0x7fff), place)
    }
  }
  return buffer
}
