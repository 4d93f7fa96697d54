import { type PcmLayout, type SampleReader, sampleBits, sampleReader } from './layout.ts'

/** One over the share by which the newest difference moves the expected one: a window of some 16 samples. */
const MEMORY = 16
/** Bounds of one sample's say in bits, so that one click does not decide. */
const HIGHEST = 12
const LOWEST = -12
/** What a sample says that no sound can hold, such as a float that is not a number. */
const IMPOSSIBLE = -12

/**
 * Tells sound from other bytes by how small the steps between samples are: each sample is weighed as a step of a Laplace
 * distribution whose width follows the steps before it, against any number being equally likely. Compressed and random
 * bytes score below zero, sound some bits a sample above, runs of one value nothing: a zeroed stretch and silence are
 * the same.
 */
export class PcmLikeness {
  readonly layout: PcmLayout
  readonly #read: SampleReader
  readonly #bits: number
  readonly #last: Float64Array
  readonly #width: Float64Array
  /** Samples a channel has seen since `reset`, as far as it matters. */
  #frames = 0

  constructor(layout: PcmLayout) {
    this.layout = layout
    this.#read = sampleReader(layout)
    this.#bits = sampleBits(layout)
    this.#last = new Float64Array(layout.channels)
    this.#width = new Float64Array(layout.channels)
    this.reset()
  }

  /** Forgets what came before. */
  reset(): void {
    this.#frames = 0
    this.#last.fill(0)
    // Nothing is known of the loudness at first: the width of random bytes, which says nothing either way.
    this.#width.fill(2 ** (this.#bits - 3))
  }

  /** Bits by which the sample frame at `offset` speaks for sound, after those before it. */
  frame(bytes: Uint8Array, offset: number): number {
    const { channels, blockAlign } = this.layout
    const width = blockAlign / channels
    const full = 2 ** this.#bits
    let score = 0
    for (let channel = 0; channel < channels; channel++) {
      const sample = this.#read(bytes, offset + channel * width)
      if (Number.isNaN(sample)) {
        score += IMPOSSIBLE
        continue
      }
      const step = wrapped(sample - this.#last[channel], full)
      const expected = this.#width[channel]
      if (this.#frames > 0 && step !== 0) {
        const bits = this.#bits - Math.log2(2 * expected) - (step / expected) * Math.LOG2E
        score += Math.min(HIGHEST, Math.max(LOWEST, bits))
      }
      this.#last[channel] = sample
      this.#width[channel] = Math.max(1, expected + (step - expected) / MEMORY)
    }
    this.#frames = 1
    return score
  }

  /** Bits by which whole sample frames in `bytes` speak for sound. */
  score(bytes: Uint8Array): number {
    this.reset()
    const { blockAlign } = this.layout
    let sum = 0
    for (let at = 0; at + blockAlign <= bytes.length; at += blockAlign) sum += this.frame(bytes, at)
    return sum
  }

  /**
   * Where sound that starts with `bytes` turns into something else: the number of bytes, whole sample frames, that
   * together speak most for sound. 0 when even the first frames do not.
   */
  extent(bytes: Uint8Array): number {
    this.reset()
    const { blockAlign } = this.layout
    let sum = 0
    let best = 0
    let length = 0
    for (let at = 0; at + blockAlign <= bytes.length; at += blockAlign) {
      sum += this.frame(bytes, at)
      // Equal sums lengthen the run: silence belongs to the sound before it.
      if (sum >= best) {
        best = sum
        length = at + blockAlign
      }
    }
    return best > 0 ? length : 0
  }

  /**
   * Where sound begins that ends with `bytes`, counted from their end in whole sample frames: an offset into `bytes`, their
   * length when they do not end in sound.
   */
  onset(bytes: Uint8Array): number {
    this.reset()
    const { blockAlign } = this.layout
    let sum = 0
    let best = 0
    let start = bytes.length
    // Steps are as small backwards.
    for (let at = bytes.length - blockAlign; at >= 0; at -= blockAlign) {
      sum += this.frame(bytes, at)
      if (sum >= best) {
        best = sum
        start = at
      }
    }
    return best > 0 ? start : bytes.length
  }
}

/** The size of a step, the short way around the range of numbers: in random bytes all sizes are then equally likely. */
function wrapped(step: number, full: number): number {
  const size = Math.abs(step) % full
  return size > full / 2 ? full - size : size
}
