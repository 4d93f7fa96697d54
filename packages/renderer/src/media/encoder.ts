import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type FFEncoderCodec,
} from 'node-av/constants'
import {
  avGetPixFmtFromName,
  avGetSampleFmtFromName,
  Codec,
  CodecContext,
  type Frame,
  Packet,
  Rational,
} from 'node-av/lib'
import { RendererError } from '../errors.ts'
import { GRAPH_TICKS } from './graph.ts'

/** Modest: previews share the machine with the service. */
const THREADS = 2

/** An encoder that is opened by the first frame it sees, so that it fits what the filters give. */
export class Encoder {
  context: CodecContext | undefined
  frames = 0
  readonly #name: FFEncoderCodec
  readonly #options: Readonly<Record<string, string | number>>
  readonly #packet = new Packet()
  #last = Number.NEGATIVE_INFINITY
  /** Ticks between the last two frames. */
  #interval = 1n

  constructor(name: FFEncoderCodec, options: Readonly<Record<string, string | number>>) {
    this.#name = name
    this.#options = options
    this.#packet.alloc()
  }

  /** Opens the encoder for frames like this one. */
  open(frame: Frame, format: string, globalHeader: boolean): CodecContext {
    const codec = Codec.findEncoderByName(this.#name)
    if (!codec) throw new RendererError('environment', `the media library has no encoder ${this.#name}`)
    const context = new CodecContext()
    context.allocContext3(codec)
    context.threadCount = THREADS
    if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
    if (frame.isVideo()) {
      context.width = frame.width
      context.height = frame.height
      context.pixelFormat = avGetPixFmtFromName(format)
      context.sampleAspectRatio = frame.sampleAspectRatio
      context.colorRange = frame.colorRange
      context.colorSpace = frame.colorSpace
      context.colorPrimaries = frame.colorPrimaries
      context.colorTrc = frame.colorTrc
      context.timeBase = new Rational(1, GRAPH_TICKS)
    } else {
      context.sampleRate = frame.sampleRate
      context.channelLayout = frame.channelLayout
      context.sampleFormat = avGetSampleFmtFromName(format)
      context.timeBase = new Rational(1, frame.sampleRate)
    }
    // Set one by one: a dictionary handed to `open2` is freed twice by this version of the bindings.
    for (const [name, value] of Object.entries(this.#options)) context.setOption(name, String(value))
    if (context.open2Sync(codec) < 0) {
      throw new RendererError('input', `the encoder ${this.#name} does not take what was decoded`)
    }
    this.context = context
    return context
  }

  /**
   * Encodes a frame whose time is in the encoder's time base, or with null drains it. A frame that does not come after
   * the one before it is left out: damaged streams go back in time. `onPacket` sees each packet, reused.
   */
  encode(frame: Frame | null, onPacket: (packet: Packet) => void): void {
    const { context } = this
    if (!context) return
    if (frame) {
      const time = Number(frame.pts)
      if (time <= this.#last) return
      if (Number.isFinite(this.#last)) this.#interval = BigInt(time - this.#last)
      this.#last = time
      this.frames++
      frame.pictType = AV_PICTURE_TYPE_NONE
    }
    const sent = context.sendFrameSync(frame)
    if (sent < 0 && sent !== AVERROR_EOF)
      throw new RendererError('input', `the encoder ${this.#name} fails with ${sent}`)
    for (;;) {
      const code = context.receivePacketSync(this.#packet)
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      if (code < 0) throw new RendererError('input', `the encoder ${this.#name} fails with ${code}`)
      // Without a length of its own the last picture would be cut off by the container's edit list.
      if (this.#packet.duration <= 0n) this.#packet.duration = this.#interval
      onPacket(this.#packet)
      this.#packet.unref()
    }
  }

  close(): void {
    this.#packet.free()
    this.context?.freeContext()
  }
}
