import { BitReader } from '../../bytes/bit-reader.ts'
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

/** Evidence when bits up to the byte's end are zero: a little less than their number, for encoders that leave other bits. */
const ZERO_PADDING = -0.05
const NONZERO_PADDING = -5

/** Parses raw_data_block() to its very end, §4.4.2.1 Table 4.3: in MP4 nothing else says how long a frame is. */
export class RawDataBlock {
  /** Longest frame in bytes that is looked for. */
  readonly maxLength: number
  readonly #stream: ChannelStream
  readonly #channels: number

  constructor(config: AudioSpecificConfig, statistics: field.Statistics) {
    // Twice the standard's bound, since encoders at extreme rates break it.
    this.#channels = Math.max(config.channels, 2)
    this.maxLength = this.#channels * MAX_CHANNEL_BYTES * 2 + DATA_BYTES
    const buffer = new Uint8Array(this.maxLength + MAX_SPECTRUM_BYTES + 8)
    this.#stream = new ChannelStream(
      buffer,
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
   * Length in bytes of the raw_data_block() that starts with `bytes`, or 0 when there is none. Counts syntax fields
   * in `seen` if given.
   */
  parse(bytes: Uint8Array, seen?: Uint32Array): number {
    const stream = this.#stream
    const length = Math.min(bytes.length, this.maxLength)
    stream.bytes.set(length === bytes.length ? bytes : bytes.subarray(0, length))
    stream.bytes.fill(0, length, length + 8)
    stream.position = 0
    stream.end = length * 8
    stream.evidence = 0
    stream.seen = seen
    let channels = 0
    let elements = 0
    let others = 0
    while (stream.position < stream.end) {
      const id = stream.take(3)
      stream.note(field.ELEMENT + Math.min(elements, field.MAX_ELEMENTS) * 8 + id)
      if (id === element.END) return elements > 0 ? this.#finish() : 0
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

  #finish(): number {
    const stream = this.#stream
    const padding = -stream.position & 7
    if (padding > 0) {
      stream.evidence += stream.take(padding) === 0 ? padding + ZERO_PADDING : padding + NONZERO_PADDING
    }
    return stream.position <= stream.end ? stream.position >> 3 : 0
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

  #programConfig(): boolean {
    const stream = this.#stream
    const bits = new BitReader(stream.bytes, stream.position, stream.end)
    element.readProgramConfig(bits, 0)
    stream.position = bits.position
    return !bits.overrun
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
