import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** Sync words of core and extension substreams, ETSI TS 102 114 §5.3.1 and §7.4. */
const CORE = Uint8Array.of(0x7f, 0xfe, 0x80, 0x01)
const EXTENSION = 0x64582025
const CORE_SYNC = 0x7ffe8001
const HEADER_BYTES = 12
const SHORTEST = 96
const BLOCK_SAMPLES = 32
/** Sampling rates by code, Table 5-5. */
const RATES = [
  0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 96_000, 192_000,
]

/** DTS Coherent Acoustics, ETSI TS 102 114: a core frame with the extension substreams behind it. */
export const dts: Codec = {
  name: 'dts',
  recogniser: (track: TrackDescription) => new DtsRecogniser(track.sampleRate ?? 0),
}

interface CoreFrame {
  readonly bytes: number
  readonly samples: number
  readonly rate: number
}

/** Reads a core frame's header, §5.3.1; undefined when it breaks the syntax. */
function coreFrame(bytes: Uint8Array): CoreFrame | undefined {
  const bits = new BitReader(bytes, 32)
  const normal = bits.bit() === 1
  const deficit = bits.bits(5) + 1
  bits.skip(1)
  const blocks = bits.bits(7) + 1
  const size = bits.bits(14) + 1
  const mode = bits.bits(6)
  const rate = RATES[bits.bits(4)]
  if (size < SHORTEST || blocks < 6 || mode > 15 || rate === 0) return undefined
  // only the last frame of a stream is cut short
  if (normal && deficit !== BLOCK_SAMPLES) return undefined
  return { bytes: size, samples: blocks * BLOCK_SAMPLES, rate }
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
    if (offset + HEADER_BYTES > end || reader.u32(offset) !== CORE_SYNC) return false
    const frame = coreFrame(reader.bytes(offset, HEADER_BYTES).slice())
    if (!frame) return false
    let at = offset + frame.bytes
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
    if (this.#rate === 0) this.#rate = coreFrame(reader.bytes(offset, HEADER_BYTES).slice())?.rate ?? 0
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return Math.min(end, searchBytes(reader, from, end + CORE.length - 1, CORE))
  }
}

/** Bytes of an extension substream at `at`, §7.4.1; 0 when none starts there. */
function extension(reader: ByteReader, at: number, end: number): number {
  if (at + HEADER_BYTES > end || reader.u32(at) !== EXTENSION) return 0
  const bits = new BitReader(reader.bytes(at, HEADER_BYTES).slice(), 40)
  bits.skip(2)
  const wide = bits.bit() === 1
  bits.skip(wide ? 12 : 8)
  const size = bits.bits(wide ? 20 : 16) + 1
  return at + size <= end ? size : 0
}
