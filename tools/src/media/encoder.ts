import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_CODEC_FLAG_INTERLACED_ME,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants'
import {
  avGetPixFmtFromName,
  avGetSampleFmtFromName,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  FFmpegError,
  type Frame,
  Packet,
  Rational,
} from 'node-av/lib'
import { FINE_TIMESCALE, type FrameSource } from './source.ts'
import type { AudioSpec, ClipSpec, VideoSpec } from './spec.ts'

/** @throws Error when the media library was built without the encoder. */
export function findEncoder(name: string): Codec {
  const found = Codec.getCodecList().find((codec) => codec.isEncoder() && codec.name === name)
  if (!found) throw new Error(`the media library has no encoder ${name}`)
  return found
}

/** The library's name of the sample format an encoder takes first. */
export function firstSampleFormat(codec: Codec): string {
  const format = codec.sampleFormats?.[0]
  const name = format === undefined ? null : avGetSampleFmtName(format)
  if (!name) throw new Error(`the encoder ${codec.name} names no sample format`)
  return name
}

/** An opened encoder: frames in, packets out. One thread, no version strings: the same frames give the same bytes. */
export class Encoder {
  readonly context: CodecContext
  readonly #packet = new Packet()

  private constructor(context: CodecContext) {
    this.context = context
    this.#packet.alloc()
  }

  /** Wraps an opened context. */
  static over(context: CodecContext): Encoder {
    return new Encoder(context)
  }

  static video(clip: ClipSpec, video: VideoSpec, source: FrameSource, globalHeader: boolean): Encoder {
    const context = create(findEncoder(video.codec), globalHeader)
    const { sink } = source
    context.width = sink.buffersinkGetWidth()
    context.height = sink.buffersinkGetHeight()
    context.pixelFormat = avGetPixFmtFromName(video.pixelFormat ?? 'yuv420p')
    context.framerate = sink.buffersinkGetFrameRate()
    context.timeBase =
      video.timing === 'jittered' ? new Rational(1, FINE_TIMESCALE) : sink.buffersinkGetTimeBase()
    context.gopSize = video.gop ?? 30
    context.maxBFrames = video.bFrames ?? 0
    if (video.interlaced) context.setFlags(AV_CODEC_FLAG_INTERLACED_DCT, AV_CODEC_FLAG_INTERLACED_ME)
    return open(context, withRepeatability(video), `${video.codec} ${clip.width}x${clip.height}`)
  }

  static audio(audio: AudioSpec, source: FrameSource, globalHeader: boolean): Encoder {
    const codec = findEncoder(audio.codec)
    const context = create(codec, globalHeader)
    const { sink } = source
    context.sampleRate = sink.buffersinkGetSampleRate()
    context.channelLayout = sink.buffersinkGetChannelLayout()
    context.sampleFormat = avGetSampleFmtFromName(firstSampleFormat(codec))
    context.timeBase = new Rational(1, context.sampleRate)
    return open(context, audio.options ?? {}, audio.codec)
  }

  /** Encodes a frame, or with null drains the encoder; `onPacket` sees each packet, which is reused. */
  encode(frame: Frame | null, onPacket: (packet: Packet) => void): void {
    const sent = this.context.sendFrameSync(frame)
    if (sent < 0 && sent !== AVERROR_EOF) throw new Error(`encoding failed (${sent})`)
    for (;;) {
      const received = this.context.receivePacketSync(this.#packet)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return
      if (received < 0) throw new Error(`encoding failed (${received})`)
      onPacket(this.#packet)
      this.#packet.unref()
    }
  }

  close(): void {
    this.#packet.free()
    this.context.freeContext()
  }
}

function create(codec: Codec, globalHeader: boolean): CodecContext {
  const context = new CodecContext()
  context.allocContext3(codec)
  context.threadCount = 1
  context.setFlags(AV_CODEC_FLAG_BITEXACT)
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  return context
}

function open(
  context: CodecContext,
  options: Readonly<Record<string, string | number>>,
  what: string,
): Encoder {
  // Options are set one by one: a dictionary handed to `open2` is freed twice by this version of the bindings.
  for (const [name, value] of Object.entries(options)) {
    if (context.setOption(name, String(value)) < 0)
      throw new Error(`the encoder for ${what} refuses ${name}=${value}`)
  }
  const opened = context.open2Sync()
  if (opened < 0) throw new Error(`the encoder for ${what} does not open: ${FFmpegError.strerror(opened)}`)
  return Encoder.over(context)
}

/** Encoders with threads of their own are told to use one. */
function withRepeatability(video: VideoSpec): Record<string, string | number> {
  const options = { ...video.options }
  if (video.codec === 'libx265') {
    const single = 'log-level=none:pools=none:frame-threads=1:info=0'
    const own = options['x265-params']
    options['x265-params'] = own === undefined ? single : `${single}:${own}`
  }
  if (video.codec === 'libsvtav1') {
    const own = options['svtav1-params']
    options['svtav1-params'] = own === undefined ? 'lp=1' : `lp=1:${own}`
  }
  return options
}
