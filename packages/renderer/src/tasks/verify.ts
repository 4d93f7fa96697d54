import { stat } from 'node:fs/promises'
import { AV_PKT_DATA_ENCRYPTION_INFO } from 'node-av/constants'
import { RendererError } from '../errors.ts'
import { Decoder, frameTime } from '../media/decoder.ts'
import { type Input, openInput } from '../media/input.ts'
import type { Verification } from '../verification.ts'

/** The file does not even open. */
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
  const encrypted = input.streams.map(() => false)
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
    if (packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO)) encrypted[packet.streamIndex] = true
    else if (decoder instanceof Decoder) feed(decoder, packet)
    if (size > 0) progress(Math.min(Number(packet.pos) / size, 1))
  }
  const tracks = input.streams.map(({ kind, codec }, index) => {
    const decoder = decoders[index]
    const track = { kind, codec, packets: packets[index] ?? 0, frames: 0, errors: 0 }
    const coded = kind === 'video' || kind === 'audio'
    if (!(decoder instanceof Decoder))
      return { ...track, ...(coded && decoder === 'none' ? { unchecked: true as const } : {}) }
    feed(decoder, null)
    decoder.close()
    if (encrypted[index]) return { ...track, unchecked: true as const }
    return { ...track, frames: decoder.frames, errors: decoder.errors }
  })
  const checked = tracks.filter(
    ({ packets, unchecked }, index) => packets > 0 && decoders[index] !== 'none' && !unchecked,
  )
  const decodable = step.value === 0 && checked.length > 0 && checked.every(({ frames }) => frames > 0)
  return {
    ...(checked.length === 0 && tracks.length > 0 ? { unchecked: 'nothing in it can be decoded here' } : {}),
    decodable,
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
