import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { Habits } from '../nal/habits.ts'
import { type Recogniser, Unit } from '../recogniser.ts'
import { type MpeghConfiguration, readConfiguration } from './configuration.ts'
import {
  CONFIGURATION,
  FRAME,
  HEAD_BYTES,
  type Packet,
  readPacket,
  SYNC,
  SYNC_BYTE,
  TRUNCATION,
} from './packet.ts'

/** Packets before a frame at most, and bytes of one of them and of a frame. */
const MOST_PACKETS = 32
const MOST_BYTES_BEFORE = 1 << 12
const MOST_FRAME_BYTES = 1 << 17
/**
 * The same of a unit that holds no synchronisation: markers, checksums, a configuration, unless those of the recording have more.
 */
const USUAL_BYTES_BEFORE = 1 << 8
/** Bytes of a configuration that are read, and of an `mhaC` box before it. */
const CONFIGURATION_BYTES = 16
const RECORD_HEAD = 5
const SYNC_EVIDENCE = 20
/** Kept of a frame: its first two bytes, which tell how its first channels are coded. */
const RARITY = [6, 4]
/** A frame bears the label of the configuration before it (§14.4), which one in so many others does, in bits. */
const LABEL_EVIDENCE = 2
const WINDOW = 1 << 15
const USUAL_SAMPLES = 1024

/**
 * MPEG-H 3D Audio in MHAS packets (ISO/IEC 23008-3:2022 §14). A unit is what MP4 stores as a sample of `mhm1` (§20.6): all
 * packets up to that of the next frame. `TrackDescription.config` is the body of its `mhaC` box, if it has one.
 */
export const mhas: Codec = {
  name: 'mhas',
  recogniser: (track: TrackDescription) => new MhasRecogniser(track),
}

/** Its time scale is the sampling rate. */
class MhasRecogniser implements Recogniser {
  readonly codec = 'mhas'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #habits = new Habits(RARITY.length)
  readonly #learning = new Unit()
  readonly #bits = new BitReader(new Uint8Array(0))
  #frameSamples: number
  /** Samples of a frame by the configuration in the unit walked last. */
  #configured = USUAL_SAMPLES
  #order = 0
  /** What the unit walked last is. */
  #features: number[] = []
  /**
   * Label of its frame, and of the frame accepted last: all of one configuration bear that one's. Undefined where nobody knows.
   */
  #walked: number | undefined
  #label: number | undefined
  /** Bytes before its frame, and the most there were in those known; 0 where a synchronisation is among them. */
  #before = 0
  #mostBefore = USUAL_BYTES_BEFORE

  constructor({ config, sampleRate, timescale }: TrackDescription) {
    const told = config.length > RECORD_HEAD ? this.#configuration(config.subarray(RECORD_HEAD)) : undefined
    this.timescale = told?.sampleRate ?? sampleRate ?? timescale
    this.#frameSamples = told?.frameSamples ?? USUAL_SAMPLES
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    // a chain of packets that chance has may end with a true frame
    return this.#walk(reader, offset, end, unit) && this.#before <= this.#mostBefore
  }

  #walk(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const last = Math.min(end, reader.size)
    let evidence = 0
    let trimmed = 0
    let configuration: MpeghConfiguration | undefined
    let isSynchronised = false
    let label = this.#label
    let at = offset
    for (let count = 0; count < MOST_PACKETS; count++) {
      const packet = this.#packet(reader, at, last)
      if (packet === undefined) return false
      if (packet.type === FRAME) this.#before = isSynchronised ? 0 : at - offset
      const payload = at + packet.head
      at = payload + packet.size
      if (packet.type === FRAME) {
        this.#walked = packet.label
        this.#features = [reader.u8(payload), packet.size > 1 ? reader.u8(payload + 1) : 0]
        if (packet.label === label) evidence += LABEL_EVIDENCE
        unit.length = at - offset
        unit.evidence = Math.max(0, evidence + this.#habits.bitsOf(this.#features, RARITY))
        // a decoder knows nothing without a configuration
        unit.key = configuration !== undefined
        unit.duration = Math.max(0, (configuration?.frameSamples ?? this.#frameSamples) - trimmed)
        unit.gap = 0
        unit.damaged = false
        unit.lengthKnown = true
        return true
      }
      if (packet.size > MOST_BYTES_BEFORE) return false
      if (packet.type === SYNC) {
        if (reader.u8(payload) !== SYNC_BYTE) return false
        evidence += SYNC_EVIDENCE
        isSynchronised = true
      } else if (packet.type === TRUNCATION) trimmed += truncation(reader, payload)
      else if (packet.type === CONFIGURATION) {
        configuration = this.#configuration(reader.bytes(payload, Math.min(packet.size, CONFIGURATION_BYTES)))
        if (configuration === undefined) return false
        label = packet.label
        this.#configured = configuration.frameSamples
      }
    }
    return false
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    this.learn(reader, offset, unit.length)
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const unit = this.#learning
    if (!this.#walk(reader, offset, offset + length, unit)) return
    this.#mostBefore = Math.max(this.#mostBefore, this.#before)
    this.#habits.see(this.#features)
    this.#label = this.#walked
    if (unit.key) this.#frameSamples = this.#configured
  }

  discontinuity(): void {
    this.#label = undefined
  }

  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size)
    for (let at = from; at < last; ) {
      const bytes = reader.bytes(at, Math.min(WINDOW, last - at))
      const found = bytes.findIndex((byte) => OPENS_UNIT[byte >> 5] === 1)
      if (found >= 0) return at + found
      at += bytes.length
    }
    return end
  }

  /** A whole packet at `at`. */
  #packet(reader: ByteReader, at: number, end: number): Packet | undefined {
    this.#bits.reset(reader.bytes(at, Math.min(HEAD_BYTES, end - at)))
    const packet = readPacket(this.#bits)
    if (packet === undefined || packet.size > MOST_FRAME_BYTES) return undefined
    return at + packet.head + packet.size <= end ? packet : undefined
  }

  #configuration(bytes: Uint8Array): MpeghConfiguration | undefined {
    this.#bits.reset(bytes)
    return readConfiguration(this.#bits)
  }
}

/**
 * Samples that audioTruncationInfo() leaves out, ISO/IEC 23008-3:2022 §14.2.3: a flag that it holds, two more bits, and their
 * number.
 */
function truncation(reader: ByteReader, payload: number): number {
  const value = reader.u16(payload)
  return value >> 15 === 1 ? value & 0x1fff : 0
}

/** By the first three bits: types that units begin with, and the escape to the others. */
const OPENS_UNIT = Uint8Array.of(1, 1, 1, 1, 0, 0, 1, 1)
