import { AAC_LC, type AudioSpecificConfig } from './audio-specific-config.ts'
import { scaleFactorBands } from './bands.ts'
import { COUPLING, DATA, FILL, LFE, PAIR, PROGRAM_CONFIG, SINGLE } from './program-config.ts'

/** Frames that must agree on the first channel element's instance tag before others are passed over. */
const SETTLED_FRAMES = 32
const EIGHT_SHORT = 2
/** Elements without channels that are looked past; more before the first channel are left to the parser. */
const MAX_SKIPPED = 4

/** How `id_syn_ele` and the bit behind it are taken at the start of a frame. */
const NEVER = 0
const CHANNELS = 1
const OTHER = 2

/**
 * Decides from a few bits whether a frame may start somewhere, for scanning. Only what the standard rules out is passed
 * over: program config elements where a channel configuration stands for them, another channel element than the configuration
 * begins with, unless the track has shown it; and, once many frames are known, other instance tags than theirs, since a tag names
 * the channel a decoder puts out (ISO/IEC 14496-3:2019 §4.5.2.1.1).
 */
export class FrameStart {
  readonly #longBands: number
  readonly #shortBands: number
  readonly #predictor: boolean
  readonly #first: number
  /** Only streams without a channel configuration need program config elements. */
  readonly #unconfigured: boolean
  /** By an element's first seven bits, its id and tag. */
  readonly #starts = new Uint8Array(128)
  readonly #seen = new Uint32Array(128)
  #frames = 0
  /** The track has shown a frame that begins with an element without channels. */
  #prefixed = false

  constructor(config: AudioSpecificConfig) {
    const bands = scaleFactorBands(config.samplingIndex, config.frameLength)
    this.#longBands = bands.long.length - 1
    this.#shortBands = bands.short.length - 1
    this.#predictor = config.objectType !== AAC_LC
    this.#first = config.elements[0]
    this.#unconfigured = config.channelConfiguration === 0
    this.#admit()
  }

  /** The first seven bits of a frame of the track. */
  learn(start: number): void {
    this.#seen[start]++
    const id = start >> 4
    if (id !== SINGLE && id !== PAIR && id !== LFE && id !== FILL) this.#prefixed = true
    this.#frames++
    if (this.#frames === 1 || this.#frames % SETTLED_FRAMES === 0) this.#admit()
  }

  /** The first place from `from` on where a frame may start, `until` if there is none before it. */
  find(bytes: Uint8Array, from: number, until: number): number {
    const starts = this.#starts
    for (let at = from; at < until; at++) {
      if (starts[bytes[at] >> 1] === NEVER) continue
      // Zeros are an empty channel followed by another of the same kind and tag: zeroed stretches are passed over fast.
      if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 0 && bytes[at + 3] === 0) continue
      if (this.#plausible(bytes, at * 8)) return at
    }
    return until
  }

  /**
   * Whether elements without channels end on a byte before the first channel element of the frame that `bytes` begin with, though
   * none of the many frames known begins so: they are what is left of another frame, or foreign.
   */
  hidesFrame(bytes: Uint8Array): boolean {
    if (this.#prefixed || this.#frames < SETTLED_FRAMES) return false
    const at = firstChannels(bytes, 0)
    return at > 0 && (at & 7) === 0
  }

  #admit(): void {
    for (let start = 0; start < 128; start++) {
      const id = start >> 4
      const seen = this.#seen[start] > 0
      let taken = NEVER
      if (id === DATA || id === FILL) taken = OTHER
      else if (id === PROGRAM_CONFIG) taken = seen || this.#unconfigured ? OTHER : NEVER
      else if (id === COUPLING) taken = seen ? OTHER : NEVER
      else if (id === SINGLE || id === PAIR || id === LFE) {
        taken = seen || (id === this.#first && this.#frames < SETTLED_FRAMES) ? CHANNELS : NEVER
      }
      this.#starts[start] = taken
    }
  }

  #plausible(bytes: Uint8Array, position: number): boolean {
    const first = this.#starts[peek(bytes, position, 7)]
    if (first === NEVER) return false
    const at = first === CHANNELS ? position : firstChannels(bytes, position)
    if (at < 0) return true
    const start = peek(bytes, at, 7)
    const taken = this.#starts[start]
    if (taken !== CHANNELS) return taken === OTHER
    // What ends on a byte before a channel element is likelier to be chance than part of the frame: data elements do
    // so from one in eight places before any frame. The bare frame is found where it starts.
    if (at > position && (at & 7) === 0 && !this.#prefixed) return false
    return this.#channels(bytes, at, start >> 4)
  }

  /** The beginning of a channel element, as far as its first ics_info(). */
  #channels(bytes: Uint8Array, position: number, id: number): boolean {
    let at = position + 7
    // common_window, or else global_gain before ics_info().
    if (id === PAIR) at += peek(bytes, at, 1) ? 1 : 9
    else at += 8
    const info = peek(bytes, at, 11)
    if (info >> 10) return false
    if (((info >> 8) & 3) === EIGHT_SHORT) return ((info >> 3) & 15) <= this.#shortBands
    return ((info >> 1) & 63) <= this.#longBands && (this.#predictor || (info & 1) === 0)
  }
}

/**
 * The bit position of the first element behind data and fill elements at `position`, or -1 where there are more of them than are
 * looked past.
 */
function firstChannels(bytes: Uint8Array, position: number): number {
  let at = position
  for (let skipped = 0; skipped <= MAX_SKIPPED; skipped++) {
    const start = peek(bytes, at, 7)
    if (start >> 4 === FILL) {
      at += 7
      let count = start & 15
      if (count === 15) {
        count += peek(bytes, at, 8) - 1
        at += 8
      }
      at += count * 8
    } else if (start >> 4 === DATA) {
      let count = peek(bytes, at + 8, 8)
      const aligned = peek(bytes, at + 7, 1)
      at += 16
      if (count === 255) {
        count += peek(bytes, at, 8)
        at += 8
      }
      if (aligned) at += -at & 7
      at += count * 8
    } else return at
  }
  return -1
}

/** `count` bits, at most 17, at a bit position; zeros behind the end. */
function peek(bytes: Uint8Array, position: number, count: number): number {
  const byte = position >>> 3
  if (byte + 3 > bytes.length) return 0
  const window = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8)
  return (window << (position & 7)) >>> (32 - count)
}
