import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type FrameTypes, NARROW, WIDE } from './frame-types.ts'

/** Where `damr` holds its mode set and the frames of a sample, 3GPP TS 26.244 §6.7. */
const MODE_SET = 5
const FRAMES_PER_SAMPLE = 8
/** The standard allows 15; Sony Ericsson phones wrote a second of sound, 50. */
const MOST_FRAMES_PER_SAMPLE = 100

/** Header bits that are always zero: 3GPP TS 26.101 Annex A in the octet-aligned storage form of RFC 4867 §5.3. */
const ZERO_BITS = 0x83
const ZERO_BITS_EVIDENCE = 3
/** The quality bit: set in nearly every frame. */
const QUALITY_BIT = 0x04
const GOOD_EVIDENCE = 0.9
const BAD_EVIDENCE = -3
/** Bits that fill up the last byte: worth their number when zero, nearly forbidden otherwise. */
const NONZERO_PADDING = -5
/** What a unit loses that ends before the usual number of frames: only a track's last one does. */
const SHORT_UNIT = -4

/** Frames counted behind a hole, to the end of their run. */
const MOST_FRAMES_OF_RUN = 2048

/** Weights of frame types before the first frame: those `damr` lists, silence, the rest. */
const LISTED_WEIGHT = 4
const OTHER_WEIGHT = 2
const UNLISTED_WEIGHT = 0.2
const LOWEST_TYPE_SCORE = -4

/**
 * AMR and AMR-WB speech in 3GP files: a unit is a sample, which holds as many frames of 20 ms as `damr` says. The codec
 * is AMR-WB when the sample entry was `sawb` (`facts.format`) or the sampling rate is 16 kHz.
 */
export const amr: Codec = {
  name: 'amr',
  recogniser(track: TrackDescription): Recogniser {
    const wide =
      track.facts?.format === 'sawb' || (track.facts?.format === undefined && track.sampleRate === 16000)
    return new AmrRecogniser(wide ? WIDE : NARROW, track.config)
  },
}

class AmrRecogniser implements Recogniser {
  readonly codec = 'amr'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #types: FrameTypes
  readonly #weights: number[]
  /** By type, as far as they were asked for since a weight changed. */
  readonly #scores = new Float32Array(16)
  readonly #isScored = new Uint8Array(16)
  #total = 0
  #stale = true
  #framesPerUnit: number
  /** Healthy units that held fewer frames: more than the last one, and units may end anywhere. */
  #short = 0
  #afterHole = false
  #order = 0

  constructor(types: FrameTypes, config: Uint8Array) {
    this.#types = types
    this.timescale = types.sampleRate
    const listed = config.length > MODE_SET + 1 ? (config[MODE_SET] << 8) | config[MODE_SET + 1] : 0
    const frames = config[FRAMES_PER_SAMPLE] ?? 1
    this.#framesPerUnit = Math.min(MOST_FRAMES_PER_SAMPLE, Math.max(1, frames))
    this.#weights = types.bytes.map((bytes, type) => {
      if (bytes < 0) return 0
      if (types.other.includes(type)) return OTHER_WEIGHT
      if (type >= types.modes) return UNLISTED_WEIGHT
      return listed === 0 || (listed >> type) & 1 ? LISTED_WEIGHT : UNLISTED_WEIGHT
    })
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (endsZeros(reader, offset)) return false
    const frames = this.#afterHole ? this.#framesBehindHole(reader, offset, end) : this.#framesPerUnit
    return this.#measure(reader, offset, Math.min(end, reader.size), frames, unit)
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    this.#afterHole = false
    this.#count(reader, offset, unit.length)
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    const frames = this.#count(reader, offset, length)
    if (frames === 0 || frames > MOST_FRAMES_PER_SAMPLE) return
    if (frames > this.#framesPerUnit) {
      this.#framesPerUnit = frames
      this.#short = 0
    } else if (frames < this.#framesPerUnit) this.#short++
  }

  discontinuity(): void {
    this.#afterHole = true
  }

  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size)
    for (let at = from; at < last; at++) {
      const header = reader.u8(at)
      const length = this.#frame(header, reader, at, reader.size)
      if (length > 0 && at + length <= reader.size && this.#paddingIsZero(header, reader, at, length))
        return at
    }
    return end
  }

  /**
   * Frames of the first unit behind a hole: runs end with a whole unit, so that what is too much for whole units is what the hole
   * left of one. The last frame of a run that counts is a good one: other bytes pass for bad ones.
   */
  #framesBehindHole(reader: ByteReader, offset: number, end: number): number {
    const usual = this.#framesPerUnit
    if (usual === 1 || this.#short > 1) return usual
    const until = Math.min(end, reader.size)
    let frames = 0
    let good = 0
    for (let at = offset; frames < MOST_FRAMES_OF_RUN; ) {
      const header = reader.u8(at)
      const length = this.#frame(header, reader, at, until)
      if (length === 0 || at + length > until || this.#evidence(header, reader, at, length) <= 0) break
      frames++
      if (header & QUALITY_BIT) good = frames
      at += length
    }
    return frames === MOST_FRAMES_OF_RUN ? usual : good % usual || usual
  }

  #measure(reader: ByteReader, offset: number, end: number, most: number, unit: Unit): boolean {
    let at = offset
    let frames = 0
    let evidence = 0
    while (frames < most) {
      const header = reader.u8(at)
      const length = this.#frame(header, reader, at, end)
      if (length === 0 || at + length > end) break
      evidence += this.#evidence(header, reader, at, length)
      at += length
      frames++
    }
    if (frames === 0) return false
    unit.length = at - offset
    unit.evidence = Math.max(0, evidence + (frames < this.#framesPerUnit ? SHORT_UNIT : 0))
    unit.key = true
    unit.duration = frames * this.#types.samples
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  /** Bytes of the frame at `at` with this header, which may reach past `end`; 0 when there is none. */
  #frame(header: number, reader: ByteReader, at: number, end: number): number {
    if (at >= end) return 0
    if ((header & ZERO_BITS) !== 0) return 0
    const length = 1 + this.#types.bytes[header >> 3]
    // Zeroed bytes would pass as bad frames of the lowest mode.
    return header === 0 && isZero(reader, at, Math.min(at + length, end)) ? 0 : length
  }

  #evidence(header: number, reader: ByteReader, at: number, length: number): number {
    const type = header >> 3
    const quality = header & QUALITY_BIT ? GOOD_EVIDENCE : BAD_EVIDENCE
    const padding = this.#paddingIsZero(header, reader, at, length)
      ? this.#types.padding[type]
      : NONZERO_PADDING
    return ZERO_BITS_EVIDENCE + this.#score(type) + quality + padding
  }

  #paddingIsZero(header: number, reader: ByteReader, at: number, length: number): boolean {
    const mask = (1 << this.#types.padding[header >> 3]) - 1
    return mask === 0 || (reader.u8(at + length - 1) & mask) === 0
  }

  /** Counts frame types of one unit. Returns its frames, 0 when its bytes are not all frames. */
  #count(reader: ByteReader, offset: number, bytes: number): number {
    const end = Math.min(offset + bytes, reader.size)
    let at = offset
    let frames = 0
    while (at < end) {
      const header = reader.u8(at)
      const length = this.#frame(header, reader, at, end)
      if (length === 0) return 0
      this.#weights[header >> 3]++
      at += length
      frames++
    }
    this.#stale = true
    return at === end ? frames : 0
  }

  /** Evidence of a type: how much likelier it is in this track than among random bytes. */
  #score(type: number): number {
    if (this.#stale) {
      this.#total = 0
      for (const weight of this.#weights) this.#total += weight
      this.#isScored.fill(0)
      this.#stale = false
    }
    if (this.#isScored[type] === 0) {
      this.#scores[type] = Math.max(LOWEST_TYPE_SCORE, 4 + Math.log2(this.#weights[type] / this.#total))
      this.#isScored[type] = 1
    }
    return this.#scores[type]
  }
}

/** Zero bytes in a row that are lost ones. */
const ZERO_RUN = 4

/** Whether a zero byte ends a run of them: no header of a bad frame, but the last of what was zeroed. */
function endsZeros(reader: ByteReader, offset: number): boolean {
  const from = offset - ZERO_RUN
  return reader.u8(offset) === 0 && from >= 0 && reader.u32(from) === 0
}

function isZero(reader: ByteReader, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (reader.u8(at) !== 0) return false
  return true
}
