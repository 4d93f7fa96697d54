import { BitReader } from '../../bytes/bit-reader.ts'

/** frame_sync_code, VP9 Bitstream & Decoding Process Specification v0.6 §7.2. */
const SYNC_CODE = 0x498342
const RGB = 7
/** Longest header with all segmentation features and deltas. */
const MOST_BYTES = 128
const REFERENCES = 3
/** segmentation_feature_bits and segmentation_feature_signed, §10.3. */
const FEATURE_BITS = [8, 6, 2, 0]
const FEATURE_SIGNED = [1, 1, 0, 0]

/** What a frame's uncompressed header says, §6.2, as far as the compressed header and the tiles need it. */
export interface UncompressedHeader {
  readonly key: boolean
  readonly shown: boolean
  /** Shows a frame decoded before; nothing follows. */
  readonly existing: boolean
  readonly intra: boolean
  readonly width: number
  readonly height: number
  readonly lossless: boolean
  readonly switchableFilter: boolean
  readonly highPrecision: boolean
  /** The references differ in sign bias. */
  readonly compoundAllowed: boolean
  readonly tiles: number
  /** Bytes of this header, and of the compressed one behind it. */
  readonly bytes: number
  readonly compressedBytes: number
  /** Bits whose value is prescribed, key frames' sync code included. */
  readonly prescribed: number
}

/** Parses a header; undefined when the bytes break its syntax. Frames without a size of their own take `width` and `height`. */
export function parseUncompressedHeader(
  bytes: Uint8Array,
  width: number,
  height: number,
): UncompressedHeader | undefined {
  const bits = new BitReader(bytes.subarray(0, MOST_BYTES))
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
  let compoundAllowed = false
  if (key) {
    if (bits.bits(24) !== SYNC_CODE || !readColours(bits, profile)) return undefined
    prescribed += 24
    readSize(bits, size)
    readRenderSize(bits)
  } else {
    intra = !shown && bits.bit() === 1
    if (!resilient) bits.skip(2)
    if (intra) {
      if (bits.bits(24) !== SYNC_CODE || (profile > 0 && !readColours(bits, profile))) return undefined
      prescribed += 24
      bits.skip(8)
      readSize(bits, size)
      readRenderSize(bits)
    } else {
      bits.skip(8)
      const biases: number[] = []
      for (let i = 0; i < REFERENCES; i++) {
        bits.skip(3)
        biases.push(bits.bit())
      }
      compoundAllowed = biases.some((bias) => bias !== biases[0])
      if (bits.bit() === 0 && bits.bit() === 0 && bits.bit() === 0) readSize(bits, size)
      readRenderSize(bits)
      highPrecision = bits.bit() === 1
      switchableFilter = bits.bit() === 1
      if (!switchableFilter) bits.skip(2)
    }
  }
  if (!resilient) bits.skip(2)
  bits.skip(2)
  readLoopFilter(bits)
  const lossless = readQuantizer(bits)
  readSegmentation(bits)
  const tiles = readTiles(bits, size.width)
  const compressedBytes = bits.bits(16)
  if (bits.overrun || compressedBytes === 0) return undefined
  const rest = (8 - (bits.position & 7)) & 7
  if (rest > 0 && bits.bits(rest) !== 0) return undefined
  prescribed += rest
  return {
    ...{ key, shown, existing: false, intra, ...size, lossless, switchableFilter, highPrecision },
    ...{ compoundAllowed, tiles, bytes: bits.position >> 3, compressedBytes, prescribed },
  }
}

const EXISTING = {
  ...{ key: false, shown: true, existing: true, intra: false, lossless: false, switchableFilter: false },
  ...{ highPrecision: false, compoundAllowed: false, tiles: 0, bytes: 1, compressedBytes: 0, prescribed: 2 },
} as const

/** §6.2.2; false for a reserved bit that is set. */
function readColours(bits: BitReader, profile: number): boolean {
  const odd = profile === 1 || profile === 3
  if (profile >= 2) bits.skip(1)
  if (bits.bits(3) === RGB) return odd && bits.bit() === 0
  bits.skip(1)
  if (!odd) return true
  bits.skip(2)
  return bits.bit() === 0
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

/** §6.2.11. */
function readSegmentation(bits: BitReader): void {
  if (bits.bit() === 0) return
  if (bits.bit() === 1) {
    for (let i = 0; i < 7; i++) if (bits.bit() === 1) bits.skip(8)
    const temporal = bits.bit() === 1
    for (let i = 0; i < 3; i++) if (temporal && bits.bit() === 1) bits.skip(8)
  }
  if (bits.bit() === 0) return
  bits.skip(1)
  for (let segment = 0; segment < 8; segment++)
    for (const [feature, width] of FEATURE_BITS.entries())
      if (bits.bit() === 1) bits.skip(width + FEATURE_SIGNED[feature])
}

/** §6.2.13: the number of tiles. */
function readTiles(bits: BitReader, width: number): number {
  const superblocks = (((width + 7) >> 3) + 7) >> 3
  let columns = 0
  while (64 << columns < superblocks) columns++
  let most = 1
  while (superblocks >> most >= 4) most++
  while (columns < most - 1 && bits.bit() === 1) columns++
  const rows = bits.bit() === 1 ? 1 + bits.bit() : 0
  return 2 ** (columns + rows)
}
