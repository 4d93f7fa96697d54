import {
  AV_FRAME_FLAG_CORRUPT,
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_CORRUPT,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants'
import { Codec, CodecContext, Frame, type Packet } from 'node-av/lib'
import type { InputStream } from './input.ts'

/** Modest: verification shares the machine with the service. */
const THREADS = 2
/**
 * The errors of a picture are told with the picture only when no thread runs ahead of it, and those of its slices are told and
 * concealed only when no other thread decodes slices beside it. With more threads than one, damaged or sliced pictures now and
 * then decode otherwise than the time before.
 */
export const ORDERLY = { threads: 1 } as const
/** Largest picture decoded, in pixels: 16k by 8k. A header can claim anything. */
const PIXEL_LIMIT = 128 * 1024 * 1024

/** Decodes one stream through the low-level calls, which hand out concealed frames instead of dropping them. */
export class Decoder {
  readonly input: InputStream
  readonly context: CodecContext
  frames = 0
  /** Packets the decoder refused or the demuxer marked, and frames with a decoding error. */
  errors = 0
  readonly #frame = new Frame()

  private constructor(input: InputStream, context: CodecContext) {
    this.input = input
    this.context = context
    this.#frame.alloc()
  }

  /**
   * A decoder for the stream with these options of the library, `none` when the library has none for it, `refused` when its
   * configuration is unusable.
   */
  static open(
    input: InputStream,
    options: Readonly<Record<string, string | number>> = {},
  ): Decoder | 'none' | 'refused' {
    const parameters = input.stream.codecpar
    const codec = Codec.findDecoder(parameters.codecId)
    if (!codec) return 'none'
    const context = new CodecContext()
    context.allocContext3(codec)
    if (context.parametersToContext(parameters) < 0) return 'refused'
    context.threadCount = THREADS
    context.pktTimebase = input.stream.timeBase
    context.setOption('max_pixels', PIXEL_LIMIT)
    for (const [name, value] of Object.entries(options)) context.setOption(name, String(value))
    return context.open2Sync(codec) < 0 ? 'refused' : new Decoder(input, context)
  }

  /** Decodes a packet, or with null drains the decoder; `onFrame` sees each frame, which is reused. */
  decode(packet: Packet | null, onFrame: (frame: Frame) => void): void {
    let failed = packet?.hasFlags(AV_PKT_FLAG_CORRUPT) ?? false
    const sent = this.context.sendPacketSync(packet)
    if (sent < 0 && sent !== AVERROR_EOF) failed = true
    for (;;) {
      const received = this.context.receiveFrameSync(this.#frame)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) break
      if (received < 0) {
        failed = true
        // Draining goes on past a broken frame; a packet's turn ends with it.
        if (packet) break
        this.errors++
        failed = false
        continue
      }
      this.frames++
      if (isFlawed(this.#frame)) this.errors++
      onFrame(this.#frame)
      this.#frame.unref()
    }
    if (failed) this.errors++
  }

  close(): void {
    this.#frame.free()
    this.context.freeContext()
  }
}

/** The decoder found an error in the picture or sound, whatever it made of it. */
export function isFlawed(frame: Frame): boolean {
  return frame.decodeErrorFlags !== 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) !== 0
}

/** Presentation time of a frame in seconds, or undefined when neither container nor decoder knows it. */
export function frameTime(frame: Frame, tick: number): number | undefined {
  const time = frame.pts !== AV_NOPTS_VALUE ? frame.pts : frame.bestEffortTimestamp
  return time === AV_NOPTS_VALUE ? undefined : Number(time) * tick
}
