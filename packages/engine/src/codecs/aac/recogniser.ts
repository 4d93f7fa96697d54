import type { ByteReader } from '../../bytes/reader.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import type { AudioSpecificConfig } from './audio-specific-config.ts'
import { FrameStart } from './frame-start.ts'
import { startingStatistics } from './prior.ts'
import { RawDataBlock } from './raw-data-block.ts'
import { FIELDS_END, type Statistics } from './statistics.ts'

/** Frames all of which are learned from, then one in every `SPARSE` is. */
const DENSE_FRAMES = 512
const SPARSE = 16
/** Frames between updates of the statistics, doubling from the first to the last. */
const FIRST_UPDATE = 4
const LAST_UPDATE = 256
/** Frames up to this many bytes are remembered whole: digital silence repeats to the bit. */
const SILENCE_BYTES = 48
const SILENCE_KINDS = 8
/** What a repetition of a remembered frame costs: how rarely a random frame would be a repetition, in bits. */
const SILENCE_COST = 10
/** Starts that `search` tries in one piece; small, since most calls find one soon. */
const SEARCH_BYTES = 1 << 13

/**
 * Recognises raw_data_block() of AAC Main, LC and LTP, with or without SBR and PS. Its time scale is the core
 * sampling rate of the AudioSpecificConfig, so that a frame lasts 1024 or 960 ticks; containers that count in the
 * SBR output rate give the same frame 2048 or 1920. Every frame is a key unit.
 */
export class AacRecogniser implements Recogniser {
  readonly codec = 'aac'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly config: AudioSpecificConfig
  readonly #block: RawDataBlock
  readonly #start: FrameStart
  readonly #statistics: Statistics
  readonly #seen = new Uint32Array(FIELDS_END)
  readonly #silences: Uint8Array[] = []
  #seenFrames = 0
  #update = FIRST_UPDATE
  #order = 0

  constructor(config: AudioSpecificConfig) {
    this.config = config
    this.timescale = config.coreSampleRate
    this.#statistics = startingStatistics(config)
    this.#block = new RawDataBlock(config, this.#statistics)
    this.#start = new FrameStart(config)
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const bytes = reader.bytes(offset, this.#block.maxLength + RawDataBlock.SLACK)
    const length = this.#block.parse(bytes, 0, Math.min(end - offset, bytes.length))
    if (length === 0 || this.#start.hidesFrame(bytes)) return false
    unit.length = length
    unit.evidence = Math.max(this.#block.evidence, this.#repetition(bytes, length))
    unit.key = true
    unit.duration = this.config.frameLength
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    if (this.#order <= DENSE_FRAMES || this.#order % SPARSE === 0) this.learn(reader, offset, unit.length)
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    // a broken index claims samples of any size, and no frame is longer
    const bytes = reader.bytes(offset, Math.min(length, this.#block.maxLength + RawDataBlock.SLACK))
    // silence that goes on tells nothing of sound: counted each time, it would make all other frames look unlikely
    if (this.#repetition(bytes, length) > 0) return
    // What does not parse must not leave half its fields in the statistics.
    if (this.#block.parse(bytes, 0, bytes.length) === 0) return
    this.#block.parse(bytes, 0, bytes.length, this.#seen)
    this.#start.learn(bytes[0] >> 1)
    if (length <= SILENCE_BYTES) this.#remember(bytes)
    if (++this.#seenFrames < this.#update) return
    this.#statistics.learn(this.#seen)
    this.#seen.fill(0)
    this.#seenFrames = 0
    this.#update = Math.min(this.#update * 2, LAST_UPDATE)
  }

  /** Frames do not refer to each other. */
  discontinuity(): void {}

  /** Only places where a whole frame parses are returned; the frame may reach past `end`. */
  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size)
    const margin = this.#block.maxLength + RawDataBlock.SLACK
    for (let at = from; at < last; at += SEARCH_BYTES) {
      const bytes = reader.bytes(at, SEARCH_BYTES + margin)
      const until = Math.min(SEARCH_BYTES, last - at)
      for (let start = 0; start < until; start++) {
        start = this.#start.find(bytes, start, until)
        if (start < until && this.#block.parse(bytes, start, bytes.length - start) > 0) return at + start
      }
    }
    return end
  }

  #repetition(bytes: Uint8Array, length: number): number {
    if (length > SILENCE_BYTES) return 0
    for (const silence of this.#silences)
      if (silence.length === length && beginsWith(bytes, silence)) return length * 8 - SILENCE_COST
    return 0
  }

  #remember(bytes: Uint8Array): void {
    if (this.#repetition(bytes, bytes.length) > 0) return
    if (this.#silences.length >= SILENCE_KINDS) this.#silences.shift()
    this.#silences.push(bytes.slice())
  }
}

function beginsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  for (let at = 0; at < beginning.length; at++) if (bytes[at] !== beginning[at]) return false
  return true
}
