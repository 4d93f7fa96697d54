import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_FRAME_FLAG_INTERLACED,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants'
import { Codec, CodecContext, type Frame, Packet, Rational } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import type { InputStream } from '../../media/input.ts'
import { pixelFormatOf } from '../../media/pixel-format.ts'
import type { Recipe } from './recipes.ts'

/** Modest: the work shares the machine with the service. */
const THREADS = 2

/** Encodes pictures as one stretch of the codec of a stream, first one as a key picture, in display order. */
export class StretchEncoder {
  /** The encoder's parameter sets or other configuration. */
  configuration: Buffer = Buffer.alloc(0)
  packets = 0
  readonly #input: InputStream
  readonly #recipe: Recipe
  readonly #onPacket: (bytes: Buffer) => void
  readonly #packet = new Packet()
  #context: CodecContext | undefined
  #time = 0n

  constructor(input: InputStream, recipe: Recipe, onPacket: (bytes: Buffer) => void) {
    this.#input = input
    this.#recipe = recipe
    this.#onPacket = onPacket
    this.#packet.alloc()
  }

  /** Encodes the next picture; `key` makes it one where decoding can start. The frame is changed. */
  encode(frame: Frame, key: boolean): void {
    const context = this.#context ?? this.#open(frame)
    frame.pts = this.#time++
    frame.duration = 1n
    frame.pictType = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    this.#send(context, frame)
  }

  finish(): void {
    if (this.#context) this.#send(this.#context, null)
  }

  close(): void {
    this.#packet.free()
    this.#context?.freeContext()
    this.#context = undefined
  }

  #open(frame: Frame): CodecContext {
    const { encoder, options } = this.#recipe
    const codec = Codec.findEncoderByName(encoder)
    if (!codec) throw new RendererError('unsupported', `the media library has no encoder ${encoder}`)
    const parameters = this.#input.stream.codecpar
    const { num, den } = this.#input.stream.avgFrameRate
    const rate = num > 0 && den > 0 ? new Rational(num, den) : new Rational(30, 1)
    const context = new CodecContext()
    context.allocContext3(codec)
    context.threadCount = THREADS
    context.width = frame.width
    context.height = frame.height
    context.pixelFormat = pixelFormatOf(frame)
    context.sampleAspectRatio = frame.sampleAspectRatio
    context.colorRange = frame.colorRange
    context.colorSpace = frame.colorSpace
    context.colorPrimaries = frame.colorPrimaries
    context.colorTrc = frame.colorTrc
    context.chromaLocation = parameters.chromaLocation
    context.framerate = rate
    context.timeBase = new Rational(rate.den, rate.num)
    const flags = [frame.hasFlags(AV_FRAME_FLAG_INTERLACED) ? '+ildct+ilme' : '', options.flags ?? ''].join(
      '',
    )
    const all = { strict: 'unofficial', ...options, flags: `+bitexact${flags}`, bf: 0 }
    for (const [name, value] of Object.entries(all)) context.setOption(name, String(value))
    if (this.#recipe.global) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
    if (context.open2Sync(codec) < 0) {
      context.freeContext()
      throw new RendererError('unsupported', `the encoder ${encoder} does not take pictures of this kind`)
    }
    this.configuration = Buffer.from(context.extraData ?? [])
    this.#context = context
    return context
  }

  #send(context: CodecContext, frame: Frame | null): void {
    const sent = context.sendFrameSync(frame)
    if (sent < 0 && sent !== AVERROR_EOF)
      throw new RendererError('unsupported', `the encoder ${this.#recipe.encoder} fails with ${sent}`)
    for (;;) {
      const code = context.receivePacketSync(this.#packet)
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      if (code < 0)
        throw new RendererError('unsupported', `the encoder ${this.#recipe.encoder} fails with ${code}`)
      this.packets++
      this.#onPacket(Buffer.from(this.#packet.data ?? []))
      this.#packet.unref()
    }
  }
}
