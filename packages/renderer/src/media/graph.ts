import { AVERROR_EAGAIN, AVERROR_EOF, type AVPixelFormat, type AVSampleFormat } from 'node-av/constants'
import {
  avChannelLayoutDescribe,
  avGetPixFmtName,
  avGetSampleFmtName,
  type FilterContext,
  FilterGraph,
  Frame,
} from 'node-av/lib'
import { RendererError } from '../errors.ts'

/** Time base of everything that goes through a graph: fine enough for any container's times. */
export const GRAPH_TICKS = 90_000

/**
 * A chain of filters between a decoder and an encoder. Damaged streams change their picture size or sound layout in
 * mid-stream; the chain is then built anew, so its text must end in a fixed format.
 */
export class Graph {
  readonly #filters: string
  #graph: FilterGraph | undefined
  #source: FilterContext | undefined
  #sink: FilterContext | undefined
  #shape = ''
  readonly #frame = new Frame()

  constructor(filters: string) {
    this.#filters = filters
    this.#frame.alloc()
  }

  /**
   * Sends a frame whose time is in `GRAPH_TICKS`; `onFrame` sees what comes out, reused. Sound comes out in ticks of its
   * sample rate, pictures in those that the chain sets.
   */
  push(frame: Frame, onFrame: (frame: Frame) => void): void {
    const input = frame.isAudio() ? audioInput(frame) : videoInput(frame)
    if (input !== this.#shape) {
      this.drain(onFrame)
      this.#build(input, frame.isAudio())
    }
    if (!this.#source || this.#source.buffersrcAddFrameSync(frame) < 0) return
    this.#pull(onFrame)
  }

  /** Lets out what the filters still hold. */
  drain(onFrame: (frame: Frame) => void): void {
    if (this.#source && this.#source.buffersrcAddFrameSync(null) >= 0) this.#pull(onFrame)
    this.#graph?.free()
    this.#graph = this.#source = this.#sink = undefined
    this.#shape = ''
  }

  close(): void {
    this.#graph?.free()
    this.#frame.free()
  }

  #pull(onFrame: (frame: Frame) => void): void {
    for (;;) {
      const code = this.#sink?.buffersinkGetFrameSync(this.#frame) ?? AVERROR_EOF
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      if (code < 0) throw new RendererError('input', `the filters fail with ${code}`)
      onFrame(this.#frame)
      this.#frame.unref()
    }
  }

  #build(input: string, audio: boolean): void {
    this.#graph = new FilterGraph()
    this.#graph.alloc()
    this.#graph.nbThreads = 1
    const text = `${input},${this.#filters},${audio ? 'abuffersink' : 'buffersink'}@out`
    const parsed = this.#graph.parsePtr(text)
    const configured = parsed < 0 ? parsed : this.#graph.configSync()
    const named = (end: string): FilterContext | undefined =>
      this.#graph?.filters?.find((filter) => filter.name?.endsWith(end))
    this.#source = named('@in')
    this.#sink = named('@out')
    if (configured < 0 || !this.#source || !this.#sink) {
      throw new RendererError('input', `the filters do not take what was decoded (${configured}): ${text}`)
    }
    this.#shape = input
  }
}

function videoInput(frame: Frame): string {
  const format = pixelFormatName(frame)
  const { num, den } = frame.sampleAspectRatio
  const aspect = num > 0 && den > 0 ? `${num}/${den}` : '1/1'
  const colour = `colorspace=${Number(frame.colorSpace)}:range=${Number(frame.colorRange)}`
  return `buffer@in=video_size=${frame.width}x${frame.height}:pix_fmt=${format}:time_base=1/${GRAPH_TICKS}:pixel_aspect=${aspect}:${colour}`
}

function audioInput(frame: Frame): string {
  const format = sampleFormatName(frame)
  const layout = avChannelLayoutDescribe(frame.channelLayout)
  return `abuffer@in=sample_fmt=${format}:sample_rate=${frame.sampleRate}:channel_layout=${layout}:time_base=1/${GRAPH_TICKS}`
}

function pixelFormatName(frame: Frame): string {
  const { format } = frame
  return (isPixelFormat(format, frame) && avGetPixFmtName(format)) || 'none'
}

function sampleFormatName(frame: Frame): string {
  const { format } = frame
  return (!isPixelFormat(format, frame) && avGetSampleFmtName(format)) || 'none'
}

/** The library keeps both kinds of format in one field; what the frame is tells them apart. */
function isPixelFormat(_format: AVPixelFormat | AVSampleFormat, frame: Frame): _format is AVPixelFormat {
  return frame.isVideo()
}
