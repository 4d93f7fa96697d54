import { stat } from 'node:fs/promises'
import { AV_NOPTS_VALUE, AV_PKT_DATA_ENCRYPTION_INFO } from 'node-av/constants'
import type { Frame, Packet } from 'node-av/lib'
import { RendererError } from '../errors.ts'
import { Decoder, frameTime } from '../media/decoder.ts'
import { type Input, type InputStream, openInput } from '../media/input.ts'
import type { TrackVerification, Verification } from '../verification.ts'
import { Faults } from './verify/faults.ts'
import { declaredOtherwise, Looks } from './verify/looks.ts'
import { placeFaults } from './verify/place.ts'

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
    return await decodeAll(path, input, size, progress)
  } finally {
    input.close()
  }
}

async function decodeAll(
  path: string,
  input: Input,
  size: number,
  progress: (fraction: number) => void,
): Promise<Verification> {
  const checks = input.streams.map((stream) => new TrackCheck(stream))
  const reading = input.packets()
  let step = await reading.next()
  for (; !step.done; step = await reading.next()) {
    const packet = step.value
    checks[packet.streamIndex]?.take(packet)
    if (size > 0) progress(Math.min(Number(packet.pos) / size, 1))
  }
  const tracks: TrackVerification[] = []
  for (const check of checks) tracks.push(await check.finish(path))
  const checked = tracks.filter(
    ({ packets, unchecked }, index) => packets > 0 && checks[index]?.isCoded && !unchecked,
  )
  const decodable = step.value === 0 && checked.length > 0 && checked.every(({ frames }) => frames > 0)
  const start = Math.min(...checks.map((check) => check.start))
  const end = Math.max(...checks.map((check) => check.end))
  return {
    ...(checked.length === 0 && tracks.length > 0 ? { unchecked: 'nothing in it can be decoded here' } : {}),
    decodable,
    duration: Math.max(end - start, 0) || input.duration,
    tracks,
  }
}

/** Counts what comes out of one track. */
class TrackCheck {
  /** First start and last end of what was decoded, in seconds of the file's clock. */
  start = Number.POSITIVE_INFINITY
  end = Number.NEGATIVE_INFINITY
  readonly #stream: InputStream
  readonly #decoder: Decoder | 'none' | 'refused'
  readonly #faults = new Faults()
  readonly #looks = new Looks()
  #packets = 0
  #encrypted: boolean
  /** Where the packet in work is. */
  #time: number | undefined

  constructor(stream: InputStream) {
    this.#stream = stream
    this.#encrypted = stream.encrypted
    const isCoded = stream.kind === 'video' || stream.kind === 'audio'
    this.#decoder = isCoded ? Decoder.open(stream) : 'none'
  }

  /** Whether something here decodes tracks of its kind, with this configuration or with another. */
  get isCoded(): boolean {
    return this.#decoder !== 'none'
  }

  take(packet: Packet): void {
    this.#packets++
    if (packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO)) this.#encrypted = true
    if (!this.#encrypted && this.#decoder instanceof Decoder) {
      const { tick } = this.#stream
      const stamp = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts
      this.#time = stamp === AV_NOPTS_VALUE ? this.#time : Number(stamp) * tick
      this.#decode(this.#decoder, packet, Number(packet.duration) * tick)
    }
  }

  async finish(path: string): Promise<TrackVerification> {
    const { kind, codec } = this.#stream
    const decoder = this.#decoder
    const track = { kind, codec, packets: this.#packets, frames: 0, errors: 0 }
    if (!(decoder instanceof Decoder)) {
      const coded = kind === 'video' || kind === 'audio'
      return { ...track, ...(coded && decoder === 'none' ? { unchecked: true as const } : {}) }
    }
    this.#decode(decoder, null, 0)
    decoder.close()
    if (this.#encrypted || this.#isMistaken(decoder)) return { ...track, unchecked: true as const }
    for (const time of this.#looks.stray) this.#faults.add(time, 0)
    const errors = decoder.errors + this.#looks.stray.length
    const faults = errors === 0 ? [] : await this.#placed(path, decoder.errors > 0)
    return {
      ...track,
      frames: decoder.frames,
      errors,
      ...(this.end > this.start ? { duration: this.end - this.start } : {}),
      ...(faults.length > 0 ? { faults } : {}),
      ...this.#looks.common,
      ...declaredOtherwise(this.#stream.declared, this.#looks.common),
    }
  }

  /** Whether what the stream was taken for, and nothing named, is not what it is: most packets are none of it. */
  #isMistaken({ errors }: Decoder): boolean {
    return this.#stream.guessed && errors * 2 > this.#packets
  }

  #decode(decoder: Decoder, packet: Packet | null, seconds: number): void {
    const { errors } = decoder
    decoder.decode(packet, (frame) => this.#hear(frame))
    // pictures are told late where threads run ahead: they are placed in a second look
    if (this.#stream.kind === 'audio' && decoder.errors - errors > 0 && this.#time !== undefined)
      this.#faults.add(this.#time, seconds)
  }

  #hear(frame: Frame): void {
    const start = frameTime(frame, this.#stream.tick)
    this.#looks.add(frame, start)
    if (start === undefined) return
    const seconds =
      frame.isAudio() && frame.sampleRate > 0
        ? frame.nbSamples / frame.sampleRate
        : Number(frame.duration) * this.#stream.tick
    this.start = Math.min(this.start, start)
    this.end = Math.max(this.end, start + Math.max(seconds, 0))
  }

  async #placed(path: string, complained: boolean): Promise<TrackVerification['faults'] & object> {
    if (this.#stream.kind === 'video' && complained) await placeFaults(path, this.#stream.index, this.#faults)
    return this.#faults.list(Number.isFinite(this.start) ? this.start : 0)
  }
}
