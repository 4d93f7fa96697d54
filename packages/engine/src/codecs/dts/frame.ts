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

/** What the header of an extension substream says. */
export interface ExtensionFrame {
  /** Bytes. */
  readonly length: number
  /** Which of a frame's extension substreams it is, from 0. */
  readonly index: number
  /** Seconds that it lasts; 0 where it does not say. */
  readonly seconds: number
}

/** Rates of the clock that extension substreams count in, by nuRefClockCode, and samples that nuExSSFrameDurationCode counts. */
const CLOCK_RATES = [32_000, 44_100, 48_000]
const DURATION_SAMPLES = 512

/** Reads the header of an extension substream, §7.4.1; undefined where none starts. */
export function parseExtension(bytes: Uint8Array, at: number): ExtensionFrame | undefined {
  if (at + HEADER_BYTES > bytes.length || EXTENSION.some((byte, i) => bytes[at + i] !== byte))
    return undefined
  const bits = new BitReader(bytes, at * 8 + 40)
  const index = bits.bits(2)
  const wide = bits.bit() === 1
  bits.skip(wide ? 12 : 8)
  const length = bits.bits(wide ? 20 : 16) + 1
  const rate = bits.bit() === 1 ? CLOCK_RATES[bits.bits(2)] : undefined
  const seconds = rate ? (DURATION_SAMPLES * (bits.bits(3) + 1)) / rate : 0
  return { length, index, seconds }
}

/** Bytes of the extension substream at `at`; 0 where none starts. */
export function extensionBytes(bytes: Uint8Array, at: number): number {
  return parseExtension(bytes, at)?.length ?? 0
}

/**
 * Bytes of a frame: a core with the extension substreams behind it that begin in `bytes`, or without a core those from the first
 * on, as DTS Express has them; 0 where none is.
 */
export function frameBytes(bytes: Uint8Array, at: number): number {
  const core = parseCore(bytes, at)
  const first = core ? undefined : parseExtension(bytes, at)
  if (!core && first?.index !== 0) return 0
  let end = at + (core ?? first ?? { length: 0 }).length
  for (let more = parseExtension(bytes, end); more; more = parseExtension(bytes, end)) {
    if (!core && more.index === 0) break
    end += more.length
  }
  return end - at
}

/** Seconds that the frame at `at` lasts; 0 where none is or it does not say. */
export function frameSeconds(bytes: Uint8Array, at: number): number {
  const core = parseCore(bytes, at)
  return core ? core.samples / core.rate : (parseExtension(bytes, at)?.seconds ?? 0)
}
