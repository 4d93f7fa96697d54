import { BitReader } from '../../bytes/bit-reader.ts'

/** Sync words of core and extension substreams, ETSI TS 102 114 §5.3.1 and §7.4. */
const CORE = [0x7f, 0xfe, 0x80, 0x01]
const EXTENSION = [0x64, 0x58, 0x20, 0x25]
/** Bytes of a header that tell how long a frame or an extension substream is. */
export const HEADER_BYTES = 12
const SHORTEST = 96
const BLOCK_SAMPLES = 32
/** Sampling rates by code, Table 5-5. */
const RATES = [
  0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 96_000, 192_000,
]

/** What a core frame's header says; `length` in bytes, `rate` in hertz. */
export interface CoreFrame {
  readonly length: number
  readonly samples: number
  readonly rate: number
}

/** Reads a core frame's header, §5.3.1; undefined where none is or it breaks the syntax. */
export function parseCore(bytes: Uint8Array, at: number): CoreFrame | undefined {
  if (at + HEADER_BYTES > bytes.length || CORE.some((byte, i) => bytes[at + i] !== byte)) return undefined
  const bits = new BitReader(bytes, at * 8 + 32)
  const normal = bits.bit() === 1
  const deficit = bits.bits(5) + 1
  bits.skip(1)
  const blocks = bits.bits(7) + 1
  const length = bits.bits(14) + 1
  const mode = bits.bits(6)
  const rate = RATES[bits.bits(4)]
  if (length < SHORTEST || blocks < 6 || mode > 15 || rate === 0) return undefined
  // only the last frame of a stream is cut short
  if (normal && deficit !== BLOCK_SAMPLES) return undefined
  return { length, samples: blocks * BLOCK_SAMPLES, rate }
}

/** Bytes of the extension substream at `at`, §7.4.1; 0 where none starts. */
export function extensionBytes(bytes: Uint8Array, at: number): number {
  if (at + HEADER_BYTES > bytes.length || EXTENSION.some((byte, i) => bytes[at + i] !== byte)) return 0
  const bits = new BitReader(bytes, at * 8 + 40)
  bits.skip(2)
  const wide = bits.bit() === 1
  bits.skip(wide ? 12 : 8)
  return bits.bits(wide ? 20 : 16) + 1
}

/** Bytes of a core frame with the extension substreams behind it that begin in `bytes`; 0 where none is. */
export function frameBytes(bytes: Uint8Array, at: number): number {
  let end = at + (parseCore(bytes, at)?.length ?? 0)
  for (let more = end > at ? extensionBytes(bytes, end) : 0; more > 0; more = extensionBytes(bytes, end))
    end += more
  return end - at
}
