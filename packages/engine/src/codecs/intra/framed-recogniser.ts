import type { ByteReader } from '../../bytes/reader.ts'
import { CountedPictures } from '../counted-pictures.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

/** What the beginning of a frame says. */
export interface FrameSight {
  readonly key: boolean
  /** False for frames that only serve others. */
  readonly shown: boolean
  readonly evidence: number
}

/**
 * Recognises frames whose ends only their container knows: a unit reaches to `end`. Tells key frames from others, and
 * finds key frames by searching; frames in bytes without any framing are not self-delimiting.
 */
export class FramedRecogniser implements Recogniser {
  readonly codec: string
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = false
  readonly #sight: (reader: ByteReader, offset: number, end: number) => FrameSight | undefined
  readonly #search: (reader: ByteReader, from: number, end: number) => number
  readonly #pictures = new CountedPictures()

  constructor(
    codec: string,
    sight: (reader: ByteReader, offset: number, end: number) => FrameSight | undefined,
    search: (reader: ByteReader, from: number, end: number) => number,
  ) {
    this.codec = codec
    this.#sight = sight
    this.#search = search
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset >= end) return false
    const seen = this.#sight(reader, offset, end)
    if (!seen) return false
    unit.length = end - offset
    unit.lengthKnown = false
    unit.key = seen.key
    unit.evidence = seen.evidence
    unit.recovery = false
    unit.damaged = false
    unit.duration = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    this.#pictures.accept(unit)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return this.#search(reader, from, end)
  }
}
