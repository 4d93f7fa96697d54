import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'
import { extensionBytes, HEADER_BYTES, parseCore } from './frame.ts'

/** The sync word of a core frame, ETSI TS 102 114 §5.3.1. */
const CORE = Uint8Array.of(0x7f, 0xfe, 0x80, 0x01)

/** DTS Coherent Acoustics, ETSI TS 102 114: a core frame with the extension substreams behind it. */
export const dts: Codec = {
  name: 'dts',
  recogniser: (track: TrackDescription) => new DtsRecogniser(track.sampleRate ?? 0),
}

class DtsRecogniser implements Recogniser {
  readonly codec = 'dts'
  readonly orderStep = 1
  readonly selfDelimiting = true
  #rate: number
  #count = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  get timescale(): number {
    return this.#rate
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset + HEADER_BYTES > end) return false
    const frame = parseCore(reader.bytes(offset, HEADER_BYTES), 0)
    if (!frame) return false
    let at = offset + frame.length
    unit.evidence = 32 + 8 + (frame.rate === this.#rate ? 3 : 0)
    for (let bytes = extension(reader, at, end); bytes > 0; bytes = extension(reader, at, end)) {
      at += bytes
      unit.evidence += 24
    }
    if (at > end) return false
    unit.length = at - offset
    unit.lengthKnown = true
    unit.damaged = false
    unit.key = true
    unit.gap = 0
    unit.duration = frame.samples
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
    if (this.#rate === 0) this.#rate = parseCore(reader.bytes(offset, HEADER_BYTES), 0)?.rate ?? 0
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return Math.min(end, searchBytes(reader, from, end + CORE.length - 1, CORE))
  }
}

/** Bytes of an extension substream at `at`; 0 when none starts there, or it does not end in front of `end`. */
function extension(reader: ByteReader, at: number, end: number): number {
  if (at + HEADER_BYTES > end) return 0
  const size = extensionBytes(reader.bytes(at, HEADER_BYTES), 0)
  return at + size <= end ? size : 0
}
