import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type PcmLayout, pcmLayoutOf } from './layout.ts'
import { PcmLikeness } from './likeness.ts'

/** Bytes of sound measured as one run: bounds the time of one call. */
const MAX_RUN_BYTES = 1 << 20
/** Bits a run must show in sum to be called sound at all. */
const LEAST_EVIDENCE = 8

/** Linear and companded PCM: no syntax at all, but sound has small steps between samples, which `PcmLikeness` weighs. */
export const pcm: Codec = {
  name: 'pcm',
  recogniser(track: TrackDescription): Recogniser | undefined {
    const layout = pcmLayoutOf(track)
    return layout && new PcmRecogniser(layout, track.sampleRate ?? track.timescale)
  },
}

/**
 * A unit is a run of whole sample frames, as far as the bytes sound alike, and its boundary an estimate within a few
 * frames. `search` cannot know where frames align: every offset may start one.
 */
class PcmRecogniser implements Recogniser {
  readonly codec = 'pcm'
  readonly timescale: number
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #likeness: PcmLikeness
  #order = 0

  constructor(layout: PcmLayout, sampleRate: number) {
    this.timescale = sampleRate
    this.#likeness = new PcmLikeness(layout)
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const bytes = reader.bytes(offset, Math.min(end - offset, MAX_RUN_BYTES))
    const length = this.#likeness.extent(bytes)
    const evidence = length > 0 ? this.#likeness.score(bytes.subarray(0, length)) : 0
    if (evidence < LEAST_EVIDENCE) return false
    unit.length = length
    unit.evidence = evidence
    unit.key = true
    unit.duration = length / this.#likeness.layout.blockAlign
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

  search(_reader: ByteReader, from: number, end: number): number {
    return Math.min(from, end)
  }
}
