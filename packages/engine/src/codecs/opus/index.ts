import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { multistreamSamples, OPUS_RATE, otherModes, packetSamples } from './packet.ts'

/** Largest packet that is read: 48 frames of 1,275 bytes with their lengths. */
const LONGEST_PACKET = 61_440
/** Weight of each of the 256 first bytes before the first packet. */
const STARTING_WEIGHT = 1 / 64

/**
 * Opus. A packet has no length of its own and its first byte says only how long it sounds, so units are found by what
 * lies between others: the recogniser takes the bytes up to `end` as one packet and tells whether they may be one.
 */
export const opus: Codec = {
  name: 'opus',
  recogniser: (track: TrackDescription) => new OpusRecogniser((track.channels ?? 1) > 2),
}

/** Evidence is the first byte's alone: how much likelier it is in this track than elsewhere, at most 8 bits. */
class OpusRecogniser implements Recogniser {
  readonly codec = 'opus'
  readonly timescale = OPUS_RATE
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #weights = new Float64Array(256).fill(STARTING_WEIGHT)
  readonly #multistream: boolean
  #total = 256 * STARTING_WEIGHT
  #order = 0

  constructor(multistream: boolean) {
    this.#multistream = multistream
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const length = Math.min(end, reader.size) - offset
    if (length <= 0 || length > LONGEST_PACKET) return false
    const bytes = reader.bytes(offset, length)
    const samples = this.#multistream ? multistreamSamples(bytes) : packetSamples(bytes)
    if (samples === 0) return false
    unit.length = length
    unit.evidence = Math.max(0, 8 + Math.log2(this.#weights[bytes[0]] / this.#total))
    unit.key = true
    unit.duration = samples
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = false
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    this.learn(reader, offset)
  }

  learn(reader: ByteReader, offset: number): void {
    this.#weights[reader.u8(offset)]++
    this.#total++
  }

  readonly kindred = otherModes

  discontinuity(): void {}

  search(_reader: ByteReader, from: number, end: number): number {
    return Math.min(from, end)
  }
}
