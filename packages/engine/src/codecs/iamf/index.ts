import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { Habits } from '../nal/habits.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type IaDescriptors, parseDescriptors } from './descriptors.ts'
import { AUDIO_FRAME, LAST_NUMBERED, type Obu, PARAMETER_BLOCK, readObu } from './obu.ts'

/**
 * Bytes of one unit of a temporal unit at most: a frame of samples as they are of all channels that a substream has, and more.
 */
const MOST_OBU_BYTES = 1 << 17
/** Units beside the audio frames at most. */
const MOST_PARAMETERS = 64
/** One in so many heads of chance is of a certain type, and no copy. */
const HEAD_EVIDENCE = 6
/** Kept of the first frame: its head, its first byte, and how its size is written. */
const RARITY = [1, 8, 1]
const WINDOW = 1 << 15

/**
 * Immersive Audio (IAMF v1.1.0). A unit is a temporal unit as MP4 stores it (§6.2.4): parameter blocks and one audio frame of
 * each substream, without a delimiter. `TrackDescription.config` is the body of its `iacb` box.
 */
export const iamf: Codec = {
  name: 'iamf',
  recogniser(track: TrackDescription): Recogniser | undefined {
    const descriptors = parseDescriptors(track.config)
    return descriptors && new IamfRecogniser(descriptors, track.sampleRate ?? track.timescale)
  },
}

/** Its time scale is the sampling rate. */
class IamfRecogniser implements Recogniser {
  readonly codec = 'iamf'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #descriptors: IaDescriptors
  readonly #habits = new Habits(RARITY.length)
  readonly #seen = new Set<number>()
  /** Substream whose frame is the first of every known unit; -1 where none is known, or none is. */
  #opening = -1
  #known = 0
  #order = 0

  constructor(descriptors: IaDescriptors, sampleRate: number) {
    this.#descriptors = descriptors
    this.timescale = sampleRate
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const { substreams, frameSamples } = this.#descriptors
    const last = Math.min(end, reader.size)
    const seen = this.#seen
    seen.clear()
    let evidence = 0
    let trimmed = 0
    let others = 0
    let at = offset
    while (seen.size < substreams.size) {
      const obu = readObu((place) => reader.u8(place), at, Math.min(last, at + MOST_OBU_BYTES))
      if (obu === undefined || obu.redundant || !this.#belongs(obu)) return false
      evidence += HEAD_EVIDENCE - Math.log2(substreams.size - seen.size + 1)
      if (obu.substream < 0) others++
      else {
        if (seen.size === 0 && this.#opening >= 0 && obu.substream !== this.#opening) return false
        if (seen.size === 0) evidence += this.#habits.bitsOf(features(reader, at, obu), RARITY)
        seen.add(obu.substream)
        trimmed = Math.max(trimmed, obu.trimmed)
      }
      if (others > MOST_PARAMETERS) return false
      at = obu.end
    }
    unit.length = at - offset
    unit.evidence = Math.max(0, evidence)
    unit.key = true
    unit.duration = Math.max(0, frameSamples - trimmed)
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    this.learn(reader, offset, unit.length)
  }

  learn(reader: ByteReader, offset: number, length: number): void {
    let at = offset
    for (;;) {
      const obu = readObu((place) => reader.u8(place), at, Math.min(offset + length, reader.size))
      if (obu === undefined) return
      if (obu.substream >= 0) {
        this.#habits.see(features(reader, at, obu))
        this.#opening = this.#known++ === 0 || this.#opening === obu.substream ? obu.substream : -1
        return
      }
      at = obu.end
    }
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end, reader.size)
    for (let at = from; at < last; ) {
      const bytes = reader.bytes(at, Math.min(WINDOW, last - at))
      const found = bytes.findIndex((byte) => OPENS_UNIT[byte] === 1)
      if (found >= 0) return at + found
      at += bytes.length
    }
    return end
  }

  /** A parameter block, or the first frame of one of the sequence's substreams. */
  #belongs({ type, substream, trimmed }: Obu): boolean {
    if (substream < 0) return type === PARAMETER_BLOCK
    const { substreams, frameSamples } = this.#descriptors
    return substreams.has(substream) && !this.#seen.has(substream) && trimmed <= frameSamples
  }
}

function features(reader: ByteReader, at: number, obu: Obu): number[] {
  return [reader.u8(at), reader.u8(obu.payload), obu.payload - at]
}

/** By first byte: a parameter block or an audio frame that is no copy. */
const OPENS_UNIT = Uint8Array.from({ length: 256 }, (_, byte) => {
  const type = byte >> 3
  return (byte & 4) === 0 && (type === PARAMETER_BLOCK || (type >= AUDIO_FRAME && type <= LAST_NUMBERED))
    ? 1
    : 0
})
