import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import { CountedPictures } from '../counted-pictures.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { type CloserLook, searchBytes } from '../search-bytes.ts'
import { FRAME_HEADER, frameAt, INTER_STRIP, INTRA_STRIP, readsToItsEnd } from './frame.ts'

/** Bits of evidence: the length told twice, and the first strip's kind and left edge. */
const EVIDENCE = 24 + 15 + 16
/** Further bits of each strip more, and of the size where the container tells the same. */
const EACH_STRIP = 30
const SAME_SIZE = 14
/** The number of strips, which fits into a byte, and behind it the kind of the first one. */
const STRIPS = FRAME_HEADER - 2
const STRIPS_START = Uint8Array.of(0)
const FIRST_STRIP: CloserLook = {
  length: 4,
  fits: (bytes, at) => {
    const kind = (bytes[at + 2] << 8) | bytes[at + 3]
    return bytes[at + 1] > 0 && (kind === INTRA_STRIP || kind === INTER_STRIP)
  },
}

/** Cinepak, whose frames tell their length and size. */
export const cinepak: Codec = {
  name: 'cinepak',
  recogniser: ({ width = 0 }) => new CinepakRecogniser(width),
}

class CinepakRecogniser implements Recogniser {
  readonly codec = 'cinepak'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #width: number
  readonly #pictures = new CountedPictures()

  constructor(width: number) {
    this.#width = width
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const frame = frameAt(reader, offset, Math.min(end, reader.size))
    if (!frame) return false
    unit.length = frame.length
    unit.lengthKnown = true
    unit.key = frame.key
    unit.recovery = false
    unit.damaged = false
    unit.duration = 0
    unit.evidence = EVIDENCE + EACH_STRIP * (frame.strips - 1)
    if (frame.width === this.#width) unit.evidence += SAME_SIZE
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    this.#pictures.accept(unit)
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    const frame = frameAt(reader, offset, offset + length)
    return frame !== undefined && readsToItsEnd(reader, offset, frame)
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const last = Math.min(end + STRIPS, reader.size)
    const found = searchBytes(reader, from + STRIPS, last, STRIPS_START, FIRST_STRIP)
    return found < last ? found - STRIPS : end
  }
}
