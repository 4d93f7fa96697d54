import { FF_ENCODER_AAC, FF_ENCODER_LIBX264 } from 'node-av/constants'
import { type Frame, type Packet, Rational } from 'node-av/lib'
import { RendererError } from '../errors.ts'
import { Decoder, frameTime } from '../media/decoder.ts'
import { Encoder } from '../media/encoder.ts'
import { firstPart, mainStreams, packetTime } from '../media/extent.ts'
import { GRAPH_TICKS, Graph } from '../media/graph.ts'
import { type Input, type InputStream, openInput } from '../media/input.ts'
import { Output } from '../media/output.ts'
import { copyRotation } from '../media/rotation.ts'
import type { Task } from '../protocol.ts'
import type { PreviewResult } from '../results.ts'

type PreviewTask = Extract<Task, { task: 'preview' }>

const VIDEO_OPTIONS = { preset: 'veryfast', crf: 24, profile: 'high', g: 60 }
const AUDIO_OPTIONS = { b: 128_000 }
/** Samples of an AAC frame. */
const AAC_FRAME = 1_024
const SAMPLE_RATE = 48_000
/** Seconds assumed between pictures without times. */
const UNKNOWN_INTERVAL = 1 / 25

/** Encodes the first part of a recording as H.264 and AAC in MP4 with the index in front, which browsers play. */
export async function preview(
  task: PreviewTask,
  progress: (fraction: number) => void,
): Promise<PreviewResult> {
  const input = openInput(task.input)
  const work = new Preview(input, task)
  try {
    return await work.run(progress)
  } finally {
    work.close()
    input.close()
  }
}

/** One stream's way from packets to packets. Until the output is open its packets wait. */
interface Lane {
  readonly input: InputStream
  readonly decoder: Decoder
  readonly graph: Graph
  readonly encoder: Encoder
  readonly format: string
  index: number | undefined
  lastTime: number
}

class Preview {
  readonly #input: Input
  readonly #task: PreviewTask
  readonly #seconds: number
  readonly #lanes: Lane[]
  readonly #output: Output
  readonly #waiting: { lane: Lane; packet: Packet }[] = []
  #begun = false

  constructor(input: Input, task: PreviewTask) {
    this.#input = input
    this.#task = task
    this.#seconds = firstPart(input, task.fraction, task.maxSeconds)
    const { video, audio } = mainStreams(input)
    this.#lanes = [this.#videoLane(video), this.#audioLane(audio)].filter((lane) => lane !== undefined)
    if (this.#lanes.length === 0) throw new RendererError('input', 'nothing in the file can be decoded')
    this.#output = new Output('mp4', task.output)
  }

  async run(progress: (fraction: number) => void): Promise<PreviewResult> {
    const done = new Set<Lane>()
    for await (const packet of this.#input.packets()) {
      const lane = this.#lanes.find(({ input }) => input.index === packet.streamIndex)
      if (!lane || done.has(lane)) continue
      const time = packetTime(packet, this.#input, lane.input)
      // The part may begin with pictures that do not decode: go on until there is one to show.
      if (time !== undefined && time > this.#seconds && lane.encoder.frames > 0) done.add(lane)
      else this.#decode(lane, packet)
      if (done.size === this.#lanes.length) break
      progress((time ?? 0) / this.#seconds)
    }
    for (const lane of this.#lanes) {
      this.#decode(lane, null)
      lane.graph.drain((frame) => this.#encode(lane, frame))
    }
    this.#begin()
    for (const lane of this.#lanes) lane.encoder.encode(null, (packet) => this.#write(lane, packet))
    this.#output.end()
    return this.#result()
  }

  close(): void {
    for (const { decoder, graph, encoder } of this.#lanes) {
      decoder.close()
      graph.close()
      encoder.close()
    }
  }

  #videoLane(input: InputStream | undefined): Lane | undefined {
    const decoder = input ? Decoder.open(input) : undefined
    if (!input || !(decoder instanceof Decoder)) return undefined
    const parameters = input.stream.codecpar
    // The longer side is bounded, and both are even, as the pixel format wants.
    const bound = this.#task.maxWidth
    const scale = Math.min(1, bound / Math.max(parameters.width, parameters.height, 1))
    const even = (length: number): number => Math.max(2, Math.round((length * scale) / 2) * 2)
    const filters = `yadif=deint=interlaced,scale=${even(parameters.width)}:${even(parameters.height)}:flags=bicubic,format=yuv420p,settb=1/${GRAPH_TICKS}`
    return this.#lane(input, decoder, filters, new Encoder(FF_ENCODER_LIBX264, VIDEO_OPTIONS), 'yuv420p')
  }

  #audioLane(input: InputStream | undefined): Lane | undefined {
    const decoder = input ? Decoder.open(input) : undefined
    if (!input || !(decoder instanceof Decoder)) return undefined
    const filters = `aresample=${SAMPLE_RATE}:async=1000,aformat=sample_fmts=fltp:channel_layouts=stereo,asetnsamples=n=${AAC_FRAME}:p=0`
    return this.#lane(input, decoder, filters, new Encoder(FF_ENCODER_AAC, AUDIO_OPTIONS), 'fltp')
  }

  #lane(input: InputStream, decoder: Decoder, filters: string, encoder: Encoder, format: string): Lane {
    return { input, decoder, graph: new Graph(filters), encoder, format, index: undefined, lastTime: 0 }
  }

  #decode(lane: Lane, packet: Packet | null): void {
    lane.decoder.decode(packet, (frame) => {
      const time = frameTime(frame, lane.input.tick)
      const seconds = time === undefined ? lane.lastTime + UNKNOWN_INTERVAL : time - this.#input.start
      lane.lastTime = seconds
      if (seconds > this.#seconds && lane.encoder.frames > 0) return
      frame.pts = BigInt(Math.round(seconds * GRAPH_TICKS))
      frame.duration = BigInt(Math.round(Number(frame.duration) * lane.input.tick * GRAPH_TICKS))
      lane.graph.push(frame, (filtered) => this.#encode(lane, filtered))
    })
  }

  #encode(lane: Lane, frame: Frame): void {
    if (!lane.encoder.context) this.#open(lane, frame)
    lane.encoder.encode(frame, (packet) => this.#write(lane, packet))
  }

  #open(lane: Lane, frame: Frame): void {
    const context = lane.encoder.open(frame, lane.format, this.#output.globalHeader)
    lane.index = this.#output.addStream((stream) => {
      stream.codecpar.fromContext(context)
      stream.timeBase = context.timeBase
      if (frame.isVideo()) copyRotation(lane.input.stream, stream)
    })
    if (this.#lanes.every(({ index }) => index !== undefined)) this.#begin()
  }

  /** Opens the output once every stream that gives something is known. */
  #begin(): void {
    if (this.#begun) return
    if (this.#lanes.every(({ index }) => index === undefined)) {
      throw new RendererError('input', 'no picture and no sound of the first part can be decoded')
    }
    this.#output.begin({ movflags: '+faststart' })
    this.#begun = true
    for (const { lane, packet } of this.#waiting) {
      this.#write(lane, packet)
      packet.free()
    }
    this.#waiting.length = 0
  }

  #write(lane: Lane, packet: Packet): void {
    if (!this.#begun) {
      const copy = packet.clone()
      if (copy) this.#waiting.push({ lane, packet: copy })
    } else if (lane.index !== undefined) {
      this.#output.write(packet, lane.index, lane.encoder.context?.timeBase ?? new Rational(1, GRAPH_TICKS))
    }
  }

  #result(): PreviewResult {
    const video = this.#lanes.find(({ input }) => input.kind === 'video')
    const audio = this.#lanes.find(({ input }) => input.kind === 'audio')
    return {
      seconds: this.#seconds,
      pictures: video?.encoder.frames ?? 0,
      soundFrames: audio?.encoder.frames ?? 0,
      width: video?.encoder.context?.width ?? 0,
      height: video?.encoder.context?.height ?? 0,
    }
  }
}
