import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

/** QuickTime's IMA 4:1 packs 64 samples of a channel into 2 bytes of state and 32 of codes. */
const PACKET_BYTES = 34
const PACKET_SAMPLES = 64
/** Step indexes end at 88, in seven bits. */
const HIGHEST_INDEX = 88
/** An index in range, per channel: 89 of 128. */
const INDEX_EVIDENCE = 0.5
/** A block's first state agrees with where the one before it ended: predictor to nine bits, index to a few values. */
const CONTINUED_EVIDENCE = 12
const MAX_CHANNELS = 32

/** Step sizes and index moves of IMA ADPCM, IMA Digital Audio Focus Group, Recommended Practices 3.00 (1992). */
const STEPS = stepSizes()
const INDEX_MOVES = [-1, -1, -1, -1, 2, 4, 6, 8]

/**
 * IMA ADPCM of QuickTime (`ima4`): blocks of 34 bytes a channel, each of which repeats the decoder's state. Alone they have
 * hardly any syntax; one behind another they must agree, since the state follows from the block before.
 */
export const adpcmIma: Codec = {
  name: 'adpcm-ima',
  recogniser(track: TrackDescription): Recogniser | undefined {
    const channels = track.channels ?? (track.blockAlign ?? PACKET_BYTES) / PACKET_BYTES
    if (!Number.isInteger(channels) || channels < 1 || channels > MAX_CHANNELS) return undefined
    return new ImaRecogniser(channels, track.sampleRate ?? track.timescale)
  },
}

/** A unit is one block of all channels. Its evidence looks at the block behind it too, when there is one. */
class ImaRecogniser implements Recogniser {
  readonly codec = 'adpcm-ima'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #channels: number
  #order = 0

  constructor(channels: number, sampleRate: number) {
    this.#channels = channels
    this.timescale = sampleRate
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const block = PACKET_BYTES * this.#channels
    const limit = Math.min(end, reader.size)
    if (offset + block > limit) return false
    const bytes = reader.bytes(offset, Math.min(2 * block, limit - offset))
    if (!this.#indexesFit(bytes, 0)) return false
    let evidence = INDEX_EVIDENCE * this.#channels
    if (bytes.length === 2 * block && this.#indexesFit(bytes, block)) {
      for (let at = 0; at < block; at += PACKET_BYTES)
        if (continues(bytes, at, block + at)) evidence += CONTINUED_EVIDENCE
    }
    unit.length = block
    unit.evidence = evidence
    unit.key = true
    unit.duration = PACKET_SAMPLES
    unit.gap = 0
    unit.damaged = false
    unit.lengthKnown = true
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
  }

  discontinuity(): void {}

  /** The first place whose block is continued by the next one in every channel. */
  search(reader: ByteReader, from: number, end: number): number {
    const block = PACKET_BYTES * this.#channels
    const last = Math.min(end, reader.size)
    for (let at = from; at < last; at += SEARCH_BYTES) {
      const bytes = reader.bytes(at, SEARCH_BYTES + 2 * block)
      const until = Math.min(SEARCH_BYTES, last - at, bytes.length - 2 * block + 1)
      for (let start = 0; start < until; start++) {
        if (this.#indexesFit(bytes, start) && this.#allContinue(bytes, start, block)) return at + start
      }
    }
    return end
  }

  #indexesFit(bytes: Uint8Array, at: number): boolean {
    for (let channel = 0; channel < this.#channels; channel++) {
      if ((bytes[at + channel * PACKET_BYTES + 1] & 127) > HIGHEST_INDEX) return false
    }
    return true
  }

  #allContinue(bytes: Uint8Array, start: number, block: number): boolean {
    for (let at = start; at < start + block; at += PACKET_BYTES)
      if (!continues(bytes, at, at + block)) return false
    return true
  }
}

/** Starts that `search` tries in one piece. */
const SEARCH_BYTES = 1 << 14

/**
 * Does the packet at `next` begin in the state that the packet at `at` ends in? A packet stores the upper nine bits of the
 * predictor and the index; encoders may round the one and restart the other a step off.
 */
function continues(bytes: Uint8Array, at: number, next: number): boolean {
  let index = bytes[at + 1] & 127
  let predictor = signed(bytes, at)
  for (let byte = at + 2; byte < at + PACKET_BYTES; byte++) {
    for (let shift = 0; shift <= 4; shift += 4) {
      const code = (bytes[byte] >> shift) & 15
      const step = STEPS[index]
      let change = step >> 3
      if (code & 4) change += step
      if (code & 2) change += step >> 1
      if (code & 1) change += step >> 2
      predictor = Math.min(32767, Math.max(-32768, code & 8 ? predictor - change : predictor + change))
      index = Math.min(HIGHEST_INDEX, Math.max(0, index + INDEX_MOVES[code & 7]))
    }
  }
  const nextIndex = bytes[next + 1] & 127
  return Math.abs(nextIndex - index) <= 1 && Math.abs(signed(bytes, next) - predictor) <= 128
}

/** The predictor a packet stores: its upper nine bits. */
function signed(bytes: Uint8Array, at: number): number {
  return (((bytes[at] << 8) | (bytes[at + 1] & 0x80)) << 16) >> 16
}

/** Each step is 1.1 times the one before, from 7 to 32,767; the published table rounds so. */
function stepSizes(): Uint16Array {
  const published =
    '7 8 9 10 11 12 13 14 16 17 19 21 23 25 28 31 34 37 41 45 50 55 60 66 73 80 88 97 107 118 130 143 157 173 190 209 230 ' +
    '253 279 307 337 371 408 449 494 544 598 658 724 796 876 963 1060 1166 1282 1411 1552 1707 1878 2066 2272 2499 2749 ' +
    '3024 3327 3660 4026 4428 4871 5358 5894 6484 7132 7845 8630 9493 10442 11487 12635 13899 15289 16818 18500 20350 ' +
    '22385 24623 27086 29794 32767'
  return Uint16Array.from(published.split(' '), Number)
}
