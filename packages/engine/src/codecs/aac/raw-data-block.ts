import type { AudioSpecificConfig } from './audio-specific-config.ts'
import { scaleFactorBands } from './bands.ts'
import { ChannelStream } from './channel-stream.ts'
import * as element from './program-config.ts'
import { MAX_SPECTRUM_BYTES } from './spectrum.ts'
import * as field from './statistics.ts'

/** Bits of one channel's share of the decoder input buffer, ISO/IEC 14496-3:2019 §4.5.3.1: no frame is longer. */
const MAX_CHANNEL_BYTES = 6144 / 8
/** Room for data stream elements, which that buffer does not count: two of the longest. */
const DATA_BYTES = 1024
/** Elements without channels in one frame: more than any encoder writes, and few enough to bound hostile bytes. */
const MAX_OTHER_ELEMENTS = 32

/** 7,350 Hz; higher indexes are reserved or escape to a rate that this element has no place for. */
const HIGHEST_SAMPLING_INDEX = 12

/** Evidence when bits up to the byte's end are zero: a little less than their number, for encoders that leave other bits. */
const ZERO_PADDING = -0.05
const NONZERO_PADDING = -5

/** Parses raw_data_block() to its very end, §4.4.2.1 Table 4.3: in MP4 nothing else says how long a frame is. */
export class RawDataBlock {
  /** Longest frame in bytes that is looked for. */
  readonly maxLength: number
  /** Bytes behind a frame's last possible one that `parse` may look at without regard to their values. */
  static readonly SLACK = MAX_SPECTRUM_BYTES + 8
  readonly #stream: ChannelStream
  readonly #buffer: Uint8Array
  readonly #channels: number

  constructor(config: AudioSpecificConfig, statistics: field.Statistics) {
    // Twice the standard's bound, since encoders at extreme rates break it.
    this.#channels = Math.max(config.channels, 2)
    this.maxLength = this.#channels * MAX_CHANNEL_BYTES * 2 + DATA_BYTES
    this.#buffer = new Uint8Array(this.maxLength + RawDataBlock.SLACK)
    this.#stream = new ChannelStream(
      this.#buffer,
      {
        objectType: config.objectType,
        frameLength: config.frameLength,
        bands: scaleFactorBands(config.samplingIndex, config.frameLength),
      },
      statistics,
    )
  }

  get evidence(): number {
    return this.#stream.evidence
  }

  /**
   * Length in bytes of the raw_data_block() at `from`, within `length` bytes, or 0 when there is none. Works in place where
   * `bytes` go on for `SLACK` more, else on a copy. Counts syntax fields in `seen` if given.
   */
  parse(bytes: Uint8Array, from: number, length: number, seen?: Uint32Array): number {
    const stream = this.#stream
    const limit = Math.min(length, this.maxLength)
    if (from + limit + RawDataBlock.SLACK <= bytes.length) {
      stream.bytes = bytes
      stream.position = from * 8
    } else {
      stream.bytes = this.#buffer
      stream.bytes.set(bytes.subarray(from, from + limit))
      stream.position = 0
    }
    const start = stream.position
    stream.end = start + limit * 8
    stream.evidence = 0
    stream.seen = seen
    let channels = 0
    let elements = 0
    let others = 0
    while (stream.position < stream.end) {
      const id = stream.take(3)
      stream.note(field.ELEMENT + Math.min(elements, field.MAX_ELEMENTS) * 8 + id)
      if (id === element.END) return elements > 0 ? this.#finish(start) : 0
      if (id === element.SINGLE || id === element.PAIR || id === element.LFE) {
        elements++
        channels += id === element.PAIR ? 2 : 1
        if (channels > this.#channels) return 0
        stream.note(field.TAG + id * 16 + stream.take(4))
        if (!(id === element.PAIR ? this.#pair() : stream.channel(false))) return 0
      } else {
        if (++others > MAX_OTHER_ELEMENTS || !this.#other(id)) return 0
      }
    }
    return 0
  }

  #finish(start: number): number {
    const stream = this.#stream
    const padding = -stream.position & 7
    if (padding > 0) {
      stream.evidence += stream.take(padding) === 0 ? padding + ZERO_PADDING : padding + NONZERO_PADDING
    }
    return stream.position <= stream.end ? (stream.position - start) >> 3 : 0
  }

  /** channel_pair_element() behind its tag, Table 4.5. */
  #pair(): boolean {
    const stream = this.#stream
    const common = stream.take(1)
    stream.note(field.COMMON_WINDOW + common)
    if (common && !(stream.info(true) && stream.midSide())) return false
    return stream.channel(common === 1) && stream.channel(common === 1)
  }

  #other(id: number): boolean {
    const stream = this.#stream
    if (id === element.FILL) return this.#fill()
    if (id === element.PROGRAM_CONFIG) return this.#programConfig()
    stream.note(field.TAG + id * 16 + stream.take(4))
    return id === element.DATA ? this.#data() : this.#coupling()
  }

  /** data_stream_element(), Table 4.10. */
  #data(): boolean {
    const stream = this.#stream
    const aligned = stream.take(1)
    let count = stream.take(8)
    if (count === 255) count += stream.take(8)
    if (aligned) stream.position += -stream.position & 7
    stream.position += count * 8
    return stream.position <= stream.end
  }

  /** fill_element(), Table 4.11: extension payloads are skipped by their count. */
  #fill(): boolean {
    const stream = this.#stream
    let count = stream.take(4)
    if (count === 15) count += stream.take(8) - 1
    if (count === 0) return true
    stream.note(field.EXTENSION_TYPE + stream.take(4))
    stream.position += count * 8 - 4
    return stream.position <= stream.end
  }

  /**
   * program_config_element(), Table 4.2, without building anything, since it is tried at one in eight places of a scan.
   * It lists the channels of this very block, so that it cannot have more of them.
   */
  #programConfig(): boolean {
    const stream = this.#stream
    stream.note(field.TAG + element.PROGRAM_CONFIG * 16 + stream.take(4))
    stream.position += 2
    if (stream.take(4) > HIGHEST_SAMPLING_INDEX) return false
    const singles = stream.take(4) + stream.take(4) + stream.take(4)
    const lfe = stream.take(2)
    if (singles + lfe === 0 || singles + lfe > this.#channels) return false
    const associated = stream.take(3)
    const coupled = stream.take(4)
    if (stream.take(1)) stream.position += 4
    if (stream.take(1)) stream.position += 4
    if (stream.take(1)) stream.position += 3
    let channels = singles + lfe
    for (let left = singles; left > 0; left--) channels += stream.take(5) >> 4
    if (channels > this.#channels) return false
    stream.position += lfe * 4 + associated * 4 + coupled * 5
    stream.position += -stream.position & 7
    stream.position += stream.take(8) * 8
    return stream.position <= stream.end
  }

  /** coupling_channel_element() behind its tag, Table 4.8. */
  #coupling(): boolean {
    const stream = this.#stream
    const independent = stream.take(1)
    let lists = 0
    for (let left = stream.take(3) + 1; left > 0; left--) {
      const pair = stream.take(1)
      stream.position += 4
      if (pair && stream.take(2) === 3) lists++
      lists++
    }
    stream.position += 1 + 1 + 2
    if (!stream.channel(false)) return false
    for (let list = 1; list < lists; list++) {
      const common = independent === 1 || stream.take(1) === 1
      for (let gains = common ? 1 : stream.codedBands; gains > 0; gains--) stream.scaleFactor()
      if (stream.position > stream.end) return false
    }
    return true
  }
}
