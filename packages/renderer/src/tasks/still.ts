import { writeFileSync } from 'node:fs'
import { AVSEEK_FLAG_BACKWARD, FF_ENCODER_MJPEG } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { RendererError } from '../errors.ts'
import { Decoder, frameTime } from '../media/decoder.ts'
import { Encoder } from '../media/encoder.ts'
import { mainStreams } from '../media/extent.ts'
import { GRAPH_TICKS, Graph } from '../media/graph.ts'
import { type Input, openInput } from '../media/input.ts'
import { uprightFilters } from '../media/rotation.ts'
import type { Task } from '../protocol.ts'
import type { StillResult } from '../results.ts'

type StillTask = Extract<Task, { task: 'still' }>

/** The library's quality scale counts in steps of 118; 4 is good and small. */
const QUALITY = 4 * 118
/** Pictures decoded after the wanted time in the hope of one without an error. */
const PATIENCE = 60

/** Writes one upright picture as JPEG: the first sound one from `atSeconds` on, else the last that decodes at all. */
export async function still(task: StillTask): Promise<StillResult> {
  const input = openInput(task.input)
  try {
    const result = (await draw(input, task, true)) ?? (await draw(input, task, false))
    if (!result) throw new RendererError('input', 'no picture can be decoded')
    return result
  } finally {
    input.close()
  }
}

/** Looks from the wanted time on, or from the beginning when there is nothing. */
async function draw(input: Input, task: StillTask, seek: boolean): Promise<StillResult | undefined> {
  const { video } = mainStreams(input)
  const decoder = video ? Decoder.open(video) : undefined
  if (!video || !(decoder instanceof Decoder)) return undefined
  const target = input.start + task.atSeconds
  input.format.seekFrameSync(
    -1,
    BigInt(Math.round((seek ? target : input.start) * 1e6)),
    AVSEEK_FLAG_BACKWARD,
  )
  const graph = new Graph(
    `${uprightFilters(video.stream)}scale='min(${task.width},iw)':-2:flags=bicubic:out_range=pc,format=yuvj420p`,
  )
  const found = new Candidate(target, video.tick)
  for await (const packet of input.packets()) {
    if (packet.streamIndex !== video.index) continue
    decoder.decode(packet, (frame) => found.offer(frame))
    if (found.settled) break
  }
  if (!found.settled) decoder.decode(null, (frame) => found.offer(frame))
  const result = found.frame ? encode(found.frame, graph, task.output) : undefined
  decoder.close()
  graph.close()
  return result ? { seconds: found.seconds - input.start, ...result } : undefined
}

/** Keeps the best picture seen so far. */
class Candidate {
  frame: Frame | undefined
  seconds = 0
  settled = false
  readonly #target: number
  readonly #tick: number
  #tried = 0

  constructor(target: number, tick: number) {
    this.#target = target
    this.#tick = tick
  }

  offer(frame: Frame): void {
    if (this.settled) return
    const seconds = frameTime(frame, this.#tick) ?? this.seconds
    const late = seconds + 1e-6 >= this.#target
    this.frame?.free()
    this.frame = frame.clone() ?? undefined
    this.seconds = seconds
    if (late) this.settled = frame.decodeErrorFlags === 0 || ++this.#tried >= PATIENCE
  }
}

function encode(frame: Frame, graph: Graph, path: string): { width: number; height: number } | undefined {
  const encoder = new Encoder(FF_ENCODER_MJPEG, {
    flags: '+qscale',
    global_quality: QUALITY,
    strict: 'unofficial',
  })
  let size: { width: number; height: number } | undefined
  const write = (filtered: Frame): void => {
    encoder.open(filtered, 'yuvj420p', false)
    size = { width: filtered.width, height: filtered.height }
    encoder.encode(filtered, (packet) => writeFileSync(path, packet.data ?? Buffer.alloc(0)))
    encoder.encode(null, (packet) => writeFileSync(path, packet.data ?? Buffer.alloc(0)))
  }
  frame.pts = BigInt(GRAPH_TICKS)
  graph.push(frame, write)
  graph.drain(write)
  frame.free()
  encoder.close()
  return size
}
