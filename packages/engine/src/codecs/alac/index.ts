import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type AlacConfig, parseAlacConfig } from './config.ts'
import { AlacFrame } from './frame.ts'

/** Predictors remembered as usual; encoders use a few orders. */
const MAX_USUAL = 16
/** Starts that `search` tries in one piece. */
const SEARCH_BYTES = 1 << 15
/**
 * Starts that turn out to be no frames, so many and so many for every byte searched: noise offers one in 2^15 bytes. Where there
 * are more, not each is tried any more.
 */
const VAIN_STARTS = 1 << 10
const VAIN_STARTS_A_BYTE = 1 / (1 << 12)
const SPARSE_BYTES = 1 << 12

/** Apple Lossless. `TrackDescription.config` is the magic cookie, without which the code cannot be read. */
export const alac: Codec = {
  name: 'alac',
  recogniser(track: TrackDescription): Recogniser | undefined {
    const config = parseAlacConfig(track.config)
    return config && new AlacRecogniser(config, track.sampleRate ?? config.sampleRate)
  },
}

/** Its time scale is the sampling rate. */
class AlacRecogniser implements Recogniser {
  readonly codec = 'alac'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #frame: AlacFrame
  #order = 0
  #searched = 0
  #vain = 0

  constructor(config: AlacConfig, sampleRate: number) {
    this.timescale = sampleRate
    this.#frame = new AlacFrame(config)
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const frame = this.#frame
    if (reader.u8(offset + 1) !== 0) return false
    const bytes = reader.bytes(offset, frame.maxLength + AlacFrame.SLACK)
    const length = frame.parse(bytes, 0, Math.min(end - offset, bytes.length))
    if (length === 0) return false
    unit.length = length
    unit.evidence = Math.max(0, frame.evidence)
    unit.key = true
    unit.duration = frame.samples
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    if (this.#frame.usual.size < MAX_USUAL) this.learn(reader, offset, unit.length)
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const bytes = reader.bytes(offset, length)
    if (this.#frame.usual.size < MAX_USUAL && this.#frame.parse(bytes, 0, bytes.length) > 0)
      this.#frame.learn()
  }

  discontinuity(): void {}

  /** Only places where a whole frame parses are returned; the frame may reach past `end`. */
  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size)
    const frame = this.#frame
    for (let at = from; at < last; at += SEARCH_BYTES) {
      const bytes = reader.bytes(at, SEARCH_BYTES + frame.maxLength + AlacFrame.SLACK)
      const until = Math.min(SEARCH_BYTES, last - at)
      for (let zero = bytes.indexOf(0, 1); zero > 0 && zero <= until; zero = bytes.indexOf(0, zero + 1)) {
        if (!frame.starts(bytes, zero - 1)) continue
        if (frame.parse(bytes, zero - 1, bytes.length - zero + 1) > 0) return at + zero - 1
        this.#vain++
        if (this.#vain > VAIN_STARTS + VAIN_STARTS_A_BYTE * this.#searched) zero += SPARSE_BYTES
      }
      this.#searched += until
    }
    return end
  }
}
