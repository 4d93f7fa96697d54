import { stat } from 'node:fs/promises'
import { RendererError } from '../errors.ts'
import { Decoder, frameTime } from '../media/decoder.ts'
import { type Input, openInput } from '../media/input.ts'
import type { Verification } from '../verification.ts'

const NOTHING: Verification = { decodable: false, duration: 0, tracks: [] }

/** Demuxes and decodes a whole file. A file that does not even open is not decodable; that is an answer, not an error. */
export async function verify(path: string, progress: (fraction: number) => void): Promise<Verification> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new RendererError('environment', 'cannot read the file', { cause })
  })
  let input: Input
  try {
    input = openInput(path)
  } catch (error) {
    if (error instanceof RendererError && error.kind === 'input') return NOTHING
    throw error
  }
  try {
    return await decodeAll(input, size, progress)
  } finally {
    input.close()
  }
}

async function decodeAll(
  input: Input,
  size: number,
  progress: (fraction: number) => void,
): Promise<Verification> {
  const packets = input.streams.map(() => 0)
  const decoders = input.streams.map((stream) =>
    stream.kind === 'video' || stream.kind === 'audio' ? Decoder.open(stream) : 'none',
  )
  const span = new Span()
  const feed = (decoder: Decoder, packet: Parameters<Decoder['decode']>[0]): void => {
    decoder.decode(packet, (frame) => {
      const start = frameTime(frame, decoder.input.tick)
      if (start === undefined) return
      const seconds =
        frame.isAudio() && frame.sampleRate > 0
          ? frame.nbSamples / frame.sampleRate
          : Number(frame.duration) * decoder.input.tick
      span.add(start, start + Math.max(seconds, 0))
    })
  }
  const reading = input.packets()
  let step = await reading.next()
  for (; !step.done; step = await reading.next()) {
    const packet = step.value
    packets[packet.streamIndex] = (packets[packet.streamIndex] ?? 0) + 1
    const decoder = decoders[packet.streamIndex]
    if (decoder instanceof Decoder) feed(decoder, packet)
    if (size > 0) progress(Math.min(Number(packet.pos) / size, 1))
  }
  const tracks = input.streams.map(({ kind, codec }, index) => {
    const decoder = decoders[index]
    const count = packets[index] ?? 0
    if (!(decoder instanceof Decoder)) return { kind, codec, packets: count, frames: 0, errors: 0 }
    feed(decoder, null)
    decoder.close()
    return { kind, codec, packets: count, frames: decoder.frames, errors: decoder.errors }
  })
  const coded = tracks.filter((track, index) => decoders[index] !== 'none' && track.packets > 0)
  return {
    decodable: step.value === 0 && coded.length > 0 && coded.every((track) => track.frames > 0),
    duration: span.length || input.duration,
    tracks,
  }
}

/** First start and last end of everything decoded. */
class Span {
  #start = Number.POSITIVE_INFINITY
  #end = Number.NEGATIVE_INFINITY

  add(start: number, end: number): void {
    this.#start = Math.min(this.#start, start)
    this.#end = Math.max(this.#end, end)
  }

  get length(): number {
    return Math.max(this.#end - this.#start, 0)
  }
}
