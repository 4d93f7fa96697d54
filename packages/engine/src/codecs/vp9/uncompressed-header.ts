import { BitReader } from '../../bytes/bit-reader.ts'
import { NO_SEGMENTS, readSegments, type Segments } from './segments.ts'

/** frame_sync_code, VP9 Bitstream & Decoding Process Specification v0.6 §7.2. */
const SYNC_CODE = 0x498342
const RGB = 7
/** Longest header with all segmentation features and deltas. */
const MOST_BYTES = 128
const REFERENCES = 3
/** Frames that are kept to refer to. */
export const SLOTS = 8
const ALL_SLOTS = 0xff
/** interp_filter as it is stored with blocks, by literal_to_type, §7.2: smooth is 1, regular 0. */
const FILTER_OF_LITERAL = [1, 0, 2, 3]

/** color_config, §7.2.2, as far as it decides what is coded: bits a sample, and whether chroma is halved across and down. */
export interface Colours {
  readonly depth: number
  readonly halvedAcross: number
  readonly halvedDown: number
}

/** What profile 0 always has. */
export const USUAL_COLOURS: Colours = { depth: 8, halvedAcross: 1, halvedDown: 1 }

/** What a frame's uncompressed header says, §6.2. */
export interface UncompressedHeader {
  readonly key: boolean
  readonly shown: boolean
  /** Shows a frame decoded before; nothing follows. */
  readonly existing: boolean
  readonly intra: boolean
  readonly resilient: boolean
  /** reset_frame_context. */
  readonly resets: number
  readonly width: number
  readonly height: number
  /** Undefined where it is that of the frames referred to. */
  readonly colours: Colours | undefined
  /** refresh_frame_flags, one bit a slot. */
  readonly refreshed: number
  /** Of the three references, first `ref_frame_sign_bias`, at 1 to 3. */
  readonly signBias: readonly number[]
  readonly lossless: boolean
  readonly switchableFilter: boolean
  /** The filter of all blocks, where they do not choose. */
  readonly filter: number
  readonly highPrecision: boolean
  /** The references differ in sign bias. */
  readonly compoundAllowed: boolean
  /** refresh_frame_context, frame_parallel_decoding_mode and frame_context_idx. */
  readonly keepsContext: boolean
  readonly parallel: boolean
  readonly context: number
  readonly segments: Segments
  /** Logarithms to base 2 of the numbers of tiles across and down, and how many there are. */
  readonly tileColumns: number
  readonly tileRows: number
  readonly tiles: number
  /** Bytes of this header, and of the compressed one behind it. */
  readonly bytes: number
  readonly compressedBytes: number
  /** Bits whose value is prescribed, key frames' sync code included. */
  readonly prescribed: number
}

/**
 * Parses a header; undefined when the bytes break its syntax. Frames without a size of their own take that of the slot they name
 * in `sizes`, width then height for each of the eight, or `width` and `height` where it is not known (0).
 */
export function parseUncompressedHeader(
  bytes: Uint8Array,
  width: number,
  height: number,
  sizes?: Int32Array,
): UncompressedHeader | undefined {
  const bits = new BitReader(bytes, 0, 8 * Math.min(bytes.length, MOST_BYTES))
  if (bits.bits(2) !== 2) return undefined
  const profile = bits.bit() + 2 * bits.bit()
  if (profile === 3 && bits.bit() === 1) return undefined
  if (bits.bit() === 1) {
    bits.skip(3)
    return bits.overrun ? undefined : { ...EXISTING, width, height }
  }
  const key = bits.bit() === 0
  const shown = bits.bit() === 1
  const resilient = bits.bit() === 1
  const size = { width, height }
  let intra = key
  let prescribed = 2
  let highPrecision = false
  let switchableFilter = false
  let filter = 0
  let resets = 0
  let refreshed = ALL_SLOTS
  let colours: Colours | undefined
  const signBias = [0, 0, 0, 0]
  if (key) {
    colours = bits.bits(24) === SYNC_CODE ? readColours(bits, profile) : undefined
    if (!colours) return undefined
    prescribed += 24
    readSize(bits, size)
    readRenderSize(bits)
  } else {
    intra = !shown && bits.bit() === 1
    if (!resilient) resets = bits.bits(2)
    if (intra) {
      if (bits.bits(24) !== SYNC_CODE) return undefined
      colours = profile > 0 ? readColours(bits, profile) : USUAL_COLOURS
      if (!colours) return undefined
      prescribed += 24
      refreshed = bits.bits(SLOTS)
      readSize(bits, size)
      readRenderSize(bits)
    } else {
      refreshed = bits.bits(SLOTS)
      const slots = [0, 0, 0]
      for (let i = 0; i < REFERENCES; i++) {
        slots[i] = bits.bits(3)
        signBias[i + 1] = bits.bit()
      }
      const named = slots.find(() => bits.bit() === 1)
      if (named === undefined) readSize(bits, size)
      else if (sizes !== undefined && sizes[2 * named] > 0) {
        size.width = sizes[2 * named]
        size.height = sizes[2 * named + 1]
      }
      readRenderSize(bits)
      highPrecision = bits.bit() === 1
      switchableFilter = bits.bit() === 1
      if (!switchableFilter) filter = FILTER_OF_LITERAL[bits.bits(2)]
    }
  }
  const keepsContext = !resilient && bits.bit() === 1
  const parallel = resilient || bits.bit() === 1
  const context = bits.bits(2)
  readLoopFilter(bits)
  const lossless = readQuantizer(bits)
  const segments = bits.bit() === 1 ? readSegments(bits) : NO_SEGMENTS
  const { tileColumns, tileRows } = readTiles(bits, size.width)
  const compressedBytes = bits.bits(16)
  if (bits.overrun || compressedBytes === 0) return undefined
  const rest = (8 - (bits.position & 7)) & 7
  if (rest > 0 && bits.bits(rest) !== 0) return undefined
  prescribed += rest
  return {
    ...{ key, shown, existing: false, intra, resilient, resets, ...size, colours, refreshed, signBias },
    ...{ lossless, switchableFilter, filter, highPrecision, keepsContext, parallel, context, segments },
    compoundAllowed: signBias[2] !== signBias[1] || signBias[3] !== signBias[1],
    ...{ tileColumns, tileRows, tiles: 2 ** (tileColumns + tileRows) },
    ...{ bytes: bits.position >> 3, compressedBytes, prescribed },
  }
}

const EXISTING = {
  ...{ key: false, shown: true, existing: true, intra: false, resilient: false, resets: 0 },
  ...{ colours: undefined, refreshed: 0, signBias: [], lossless: false, switchableFilter: false, filter: 0 },
  ...{ highPrecision: false, compoundAllowed: false, keepsContext: false, parallel: true, context: 0 },
  ...{ segments: NO_SEGMENTS, tileColumns: 0, tileRows: 0, tiles: 0 },
  ...{ bytes: 1, compressedBytes: 0, prescribed: 2 },
} as const

/** §6.2.2; undefined for a reserved bit that is set. */
function readColours(bits: BitReader, profile: number): Colours | undefined {
  const odd = profile === 1 || profile === 3
  let depth = 8
  if (profile >= 2) depth = bits.bit() === 1 ? 12 : 10
  let halvedAcross = 1
  let halvedDown = 1
  if (bits.bits(3) === RGB) {
    if (!odd || bits.bit() === 1) return undefined
    return { depth, halvedAcross: 0, halvedDown: 0 }
  }
  bits.skip(1)
  if (odd) {
    halvedAcross = bits.bit()
    halvedDown = bits.bit()
    if (bits.bit() === 1) return undefined
  }
  return { depth, halvedAcross, halvedDown }
}

function readSize(bits: BitReader, size: { width: number; height: number }): void {
  size.width = bits.bits(16) + 1
  size.height = bits.bits(16) + 1
}

function readRenderSize(bits: BitReader): void {
  if (bits.bit() === 1) bits.skip(32)
}

/** §6.2.8. */
function readLoopFilter(bits: BitReader): void {
  bits.skip(9)
  if (bits.bit() === 0 || bits.bit() === 0) return
  for (let i = 0; i < 6; i++) if (bits.bit() === 1) bits.skip(7)
}

/** §6.2.9; tells whether the frame is lossless. */
function readQuantizer(bits: BitReader): boolean {
  let lossless = bits.bits(8) === 0
  for (let i = 0; i < 3; i++) if (bits.bit() === 1 && bits.bits(5) >> 1 !== 0) lossless = false
  return lossless
}

/** §6.2.13. */
function readTiles(bits: BitReader, width: number): { tileColumns: number; tileRows: number } {
  const superblocks = (((width + 7) >> 3) + 7) >> 3
  let tileColumns = 0
  while (64 << tileColumns < superblocks) tileColumns++
  let most = 1
  while (superblocks >> most >= 4) most++
  while (tileColumns < most - 1 && bits.bit() === 1) tileColumns++
  const tileRows = bits.bit() === 1 ? 1 + bits.bit() : 0
  return { tileColumns, tileRows }
}
