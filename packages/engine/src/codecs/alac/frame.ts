import type { AlacConfig } from './config.ts'
import { RESIDUAL_SLACK, type ResidualCode, skipResiduals } from './golomb.ts'

/** Element types, 3 bits, as in AAC. */
const SINGLE = 0
const PAIR = 1
const LFE = 3
const DATA = 4
const FILL = 6
const END = 7

/** Elements by number of channels, which fix the order of channels. */
const ELEMENTS: readonly (readonly number[])[] = [
  [],
  [SINGLE],
  [PAIR],
  [SINGLE, PAIR],
  [SINGLE, PAIR, SINGLE],
  [SINGLE, PAIR, PAIR],
  [SINGLE, PAIR, PAIR, SINGLE],
  [SINGLE, PAIR, PAIR, SINGLE, SINGLE],
  [SINGLE, PAIR, PAIR, PAIR, SINGLE],
]

/** Bits that are always zero in an element's header, and how many bits of the byte behind them are shift and flags. */
const RESERVED_BITS = 12
/** Elements without channels in one frame; encoders write none. */
const MAX_OTHER_ELEMENTS = 8
/** Headers of all elements: two channels of 31 coefficients each. */
const ELEMENT_HEADER_BYTES = 160
/** What the fields of one channel's predictor are worth when they are as in the frames before, and when they are not. */
const SAME_PREDICTOR = 11
const USUAL_PREDICTOR = 6
const ODD_PREDICTOR = -2
/** The first predictor mode is all but always 0 of 16. */
const MODE_EVIDENCE = 3.9
/** What Apple's encoder writes: a scale of 2^9 and the cookie's own history multiplier. */
const USUAL_SHIFT = 9
const USUAL_MULTIPLIER = 4

/** Parses Apple Lossless frames to their end, which nothing but their Golomb code tells. */
export class AlacFrame {
  /** Longest frame looked for: one that stores its samples as they are. */
  readonly maxLength: number
  static readonly SLACK = RESIDUAL_SLACK
  /** Of the latest frame parsed: samples of a channel, evidence in bits, and its predictors' fields. */
  samples = 0
  evidence = 0
  predictors = 0
  /** Predictor fields of the track's frames so far: a set of `mode, shift, multiplier, order` as one number. */
  readonly usual = new Set<number>()
  readonly #config: AlacConfig
  readonly #elements: readonly number[]
  readonly #buffer: Uint8Array
  readonly #latest = new Uint16Array(16)
  #bytes: Uint8Array
  #position = 0
  #end = 0

  constructor(config: AlacConfig) {
    this.#config = config
    this.#elements = ELEMENTS[config.channels]
    const raw = Math.ceil((config.frameLength * config.channels * config.bitDepth) / 8)
    this.maxLength = raw + this.#elements.length * ELEMENT_HEADER_BYTES + 64
    this.#buffer = new Uint8Array(this.maxLength + AlacFrame.SLACK)
    this.#bytes = this.#buffer
  }

  /** Could a frame start with the bytes at `at`? Their fixed bits say so in one of 2^15 random places. */
  starts(bytes: Uint8Array, at: number): boolean {
    if (bytes[at + 1] !== 0 || bytes[at] & 1 || bytes[at] >> 5 !== this.#elements[0]) return false
    if (bytes[at + 2] >> 5 !== 0 || ((bytes[at + 2] >> 2) & 3) === 3) return false
    // In zeros a single compressed channel would have a history multiplier of zero.
    return bytes[at + 2] !== 0 || bytes[at] !== 0 || (bytes[at + 5] & 1) !== 0 || bytes[at + 6] >> 6 !== 0
  }

  /** Bytes of the frame at `from`, within `length` bytes, 0 when there is none. */
  parse(bytes: Uint8Array, from: number, length: number): number {
    if (length < 3 || !this.starts(bytes, from)) return 0
    const limit = Math.min(length, this.maxLength)
    let start = from
    this.#bytes = bytes
    if (from + limit + AlacFrame.SLACK > bytes.length) {
      this.#bytes = this.#buffer
      this.#buffer.set(bytes.subarray(from, from + limit))
      this.#buffer.fill(0, limit, limit + AlacFrame.SLACK)
      start = 0
    }
    this.#position = start * 8
    this.#end = (start + limit) * 8
    this.evidence = 0
    this.samples = 0
    this.predictors = 0
    if (!this.#block()) return 0
    const padding = -this.#position & 7
    if (padding > 0) this.evidence += this.#take(padding) === 0 ? padding : -5
    return this.#position <= this.#end ? this.#position / 8 - start : 0
  }

  /** Takes the latest frame's predictors as usual ones. */
  learn(): void {
    for (let index = 0; index < this.predictors; index++) this.usual.add(this.#latest[index])
  }

  #block(): boolean {
    let next = 0
    for (let others = 0; others <= MAX_OTHER_ELEMENTS && this.#position < this.#end; ) {
      const type = this.#take(3)
      if (type === END) {
        this.evidence += 3
        return next === this.#elements.length
      }
      // Encoders write the low frequency channel as a single one, decoders take it as its own kind too.
      if (type === this.#elements[next] || (type === LFE && next > 0 && this.#elements[next] === SINGLE)) {
        this.evidence += 2
        if (!this.#element(type === PAIR ? 2 : 1, next === 0)) return false
        next++
      } else {
        others++
        if (type === DATA) this.#skipData()
        else if (type === FILL) this.#skipFill()
        else return false
      }
    }
    return false
  }

  #element(channels: number, first: boolean): boolean {
    const { bitDepth, frameLength } = this.#config
    if (this.#take(4) === 0) this.evidence += 2
    if (this.#take(RESERVED_BITS) !== 0) return false
    this.evidence += RESERVED_BITS
    const partial = this.#take(1)
    const shiftBits = this.#take(2) * 8
    const stored = this.#take(1)
    if (shiftBits >= 24 || shiftBits >= bitDepth) return false
    let samples = frameLength
    if (partial) {
      samples = this.#take(16) * 65536 + this.#take(16)
      this.evidence += 16
    } else this.evidence += 0.5
    // encoders that are told to end write a frame of no samples, stored as they are
    if ((samples === 0 && !stored) || samples > frameLength || (!first && samples !== this.samples))
      return false
    this.samples = samples
    if (stored) {
      this.#position += samples * channels * bitDepth
      return this.#position <= this.#end
    }
    return this.#compressed(channels, samples, bitDepth - shiftBits + channels - 1, shiftBits)
  }

  #compressed(channels: number, samples: number, sampleBits: number, shiftBits: number): boolean {
    if (sampleBits > 32) return false
    const { historyMultiplier, initialHistory, riceLimit } = this.#config
    // Mixing weights of a single channel have nothing to mix.
    if (this.#take(16) !== 0 && channels === 1) return false
    if (channels === 1) this.evidence += 16
    const multipliers = [0, 0]
    for (let channel = 0; channel < channels; channel++) {
      const multiplier = this.#predictor()
      if (multiplier === 0) return false
      multipliers[channel] = (multiplier * historyMultiplier) >> 2
    }
    this.#position += samples * channels * shiftBits
    for (let channel = 0; channel < channels; channel++) {
      if (this.#position > this.#end) return false
      const code: ResidualCode = {
        samples,
        sampleBits,
        historyMultiplier: multipliers[channel],
        initialHistory,
        riceLimit,
      }
      this.#position = skipResiduals(this.#bytes, this.#position, this.#end, code)
      if (this.#position < 0) return false
    }
    return true
  }

  /** One channel's predictor. Returns its multiplier of the history, 0 when it is impossible. */
  #predictor(): number {
    const fields = this.#take(16)
    const mode = fields >> 12
    const shift = (fields >> 8) & 15
    const multiplier = (fields >> 5) & 7
    const order = fields & 31
    if (mode !== 0 && mode !== 15) return 0
    this.evidence += MODE_EVIDENCE
    if (this.usual.has(fields)) this.evidence += SAME_PREDICTOR - Math.log2(this.usual.size)
    else if (shift === USUAL_SHIFT && multiplier === USUAL_MULTIPLIER) this.evidence += USUAL_PREDICTOR
    else this.evidence += ODD_PREDICTOR
    if (this.predictors < this.#latest.length) this.#latest[this.predictors++] = fields
    this.#position += order * 16
    return multiplier
  }

  #skipData(): void {
    this.#take(4)
    const aligned = this.#take(1)
    let count = this.#take(8)
    if (count === 255) count += this.#take(8)
    if (aligned) this.#position += -this.#position & 7
    this.#position += count * 8
  }

  #skipFill(): void {
    let count = this.#take(4)
    if (count === 15) count += this.#take(8) - 1
    this.#position += count * 8
  }

  /** The next bits, up to 17; zeros behind the buffer. */
  #take(count: number): number {
    const byte = this.#position >>> 3
    const bytes = this.#bytes
    const window =
      byte + 2 < bytes.length ? (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) : 0
    const value = (window << (this.#position & 7)) >>> (32 - count)
    this.#position += count
    return value
  }
}
