import type { AudioSpecificConfig } from './audio-specific-config.ts'
import { AAC_LC } from './audio-specific-config.ts'
import { scaleFactorBands } from './bands.ts'
import { COUPLING, DATA, END, FILL, LFE, PAIR, PROGRAM_CONFIG, SINGLE } from './program-config.ts'

/** Frames that must agree on the first element's instance tag before others are passed over. */
const SETTLED_FRAMES = 32
const EIGHT_SHORT = 2

/**
 * Decides from a few bits whether a frame may start somewhere, for scanning. Only what the standard rules out is passed
 * over; and, once a track's frames have all begun with the same elements and instance tags, which name the channel a
 * decoder puts out (ISO/IEC 14496-3:2019 §4.5.2.1.1), others than those.
 */
export class FrameStart {
  /** Bytes behind a start that decide about it. */
  static readonly CONTEXT = 4
  readonly #longBands: number
  readonly #shortBands: number
  readonly #predictor: boolean
  /** By first byte of a frame: 1 when a frame may start with it. */
  readonly #firstBytes = new Uint8Array(256)
  readonly #seen = new Uint32Array(128)
  #frames = 0

  constructor(config: AudioSpecificConfig) {
    const bands = scaleFactorBands(config.samplingIndex, config.frameLength)
    this.#longBands = bands.long.length - 1
    this.#shortBands = bands.short.length - 1
    this.#predictor = config.objectType !== AAC_LC
    for (let byte = 0; byte < 256; byte++) this.#firstBytes[byte] = byte >> 5 === END ? 0 : 1
  }

  /** A frame of the track. */
  learn(bytes: Uint8Array): void {
    this.#seen[bytes[0] >> 1]++
    if (++this.#frames < SETTLED_FRAMES) return
    for (let byte = 0; byte < 256; byte++) {
      const id = byte >> 5
      const channels = id === SINGLE || id === PAIR || id === LFE
      // Elements without channels come and go, whatever their tags.
      this.#firstBytes[byte] = channels ? Math.min(this.#seen[byte >> 1], 1) : id === END ? 0 : 1
    }
  }

  /** The first place in `bytes` where a frame may start, -1 if there is none. Unless `last`, leaves out the last `CONTEXT` bytes. */
  find(bytes: Uint8Array, last: boolean): number {
    const until = last ? bytes.length : bytes.length - FrameStart.CONTEXT
    const firstBytes = this.#firstBytes
    for (let at = 0; at < until; at++) {
      if (firstBytes[bytes[at]] === 1 && this.#plausible(bytes, at)) return at
    }
    return -1
  }

  #plausible(bytes: Uint8Array, at: number): boolean {
    const word =
      ((bytes[at] << 24) |
        ((bytes[at + 1] ?? 0) << 16) |
        ((bytes[at + 2] ?? 0) << 8) |
        (bytes[at + 3] ?? 0)) >>>
      0
    switch (word >>> 29) {
      case PAIR:
        if (((word >>> 24) & 1) === 0) return this.#info(word << 16)
        return this.#info(word << 8)
      case SINGLE:
      case LFE:
        // global_gain, then ics_info().
        return this.#info(word << 15)
      case COUPLING:
      case DATA:
      case PROGRAM_CONFIG:
      case FILL:
        return true
      default:
        return false
    }
  }

  /** ics_info() in the highest bits of `word`: at least 12 of them. */
  #info(word: number): boolean {
    if (word < 0) return false
    if (((word >>> 29) & 3) === EIGHT_SHORT) return ((word >>> 24) & 15) <= this.#shortBands
    if (((word >>> 22) & 63) > this.#longBands) return false
    return this.#predictor || ((word >>> 21) & 1) === 0
  }
}
