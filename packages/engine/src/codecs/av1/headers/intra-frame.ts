import { BitReader } from '../../../bytes/bit-reader.ts'
import { skipFilmGrain } from './film-grain.ts'
import { KEY_FRAME } from './frame-header.ts'
import { readSampleFormat, type SampleFormat } from './sample-format.ts'
import { readSegments, type Segments } from './segments.ts'
import type { SequenceHeader } from './sequence-header.ts'
import { readTileLayout, type TileLayout } from './tile-layout.ts'

const INTRA_ONLY = 2
const EACH_FRAME = 2
const ALL_FRAMES = 0xff
const REFERENCES = 8
/** SUPERRES_NUM, SUPERRES_DENOM_MIN and SUPERRES_DENOM_BITS, AV1 specification (2019-01-08) §3. */
const SUPERRES_NUM = 8
const SUPERRES_MIN = 9
const SUPERRES_BITS = 3
/** RESTORATION_TILESIZE_MAX. */
const LARGEST_UNIT = 256

/** How restoration units are filtered, §6.10.15. */
export const UNRESTORED = 0
export const WIENER = 1
export const SELF_GUIDED = 2
export const SWITCHABLE = 3
const RESTORATIONS = [UNRESTORED, SWITCHABLE, WIENER, SELF_GUIDED]

/** What the blocks of a frame are read by that depends on no other frame: its header, §5.9.2. */
export interface IntraFrame {
  readonly format: SampleFormat
  readonly largeBlocks: boolean
  readonly filtersIntra: boolean
  readonly width: number
  readonly upscaledWidth: number
  readonly height: number
  /** SuperresDenom; 8 where nothing is scaled. */
  readonly scale: number
  /** MiCols and MiRows: in units of four samples. */
  readonly columns: number
  readonly rows: number
  readonly learns: boolean
  /** disable_frame_end_update_cdf. */
  readonly keepsDistributions: boolean
  /** Places of references that it takes, a bit each. */
  readonly refreshed: number
  readonly orderHint: number
  readonly shown: boolean
  readonly key: boolean
  readonly screenContent: boolean
  readonly copies: boolean
  readonly tiles: TileLayout
  readonly quantiser: number
  readonly segments: Segments
  /** Of each segment. */
  readonly lossless: readonly boolean[]
  readonly deltaQuantiser: boolean
  /** Filters whose levels blocks change: 0, 1 for all together, or 4 or 2. */
  readonly deltaFilters: number
  /** Bits of a block's cdef_idx; below 0 where there is none. */
  readonly cdefBits: number
  /** Of each plane how its units are restored, and their side in samples. */
  readonly restorations: readonly number[]
  readonly unitSides: readonly number[]
  readonly transformsDiffer: boolean
  readonly fewTransformTypes: boolean
  /** Bits of the header. */
  readonly bits: number
}

/** Reads a frame header; undefined where the frame depends on others, or where its bytes break the syntax. */
export function readIntraFrame(payload: Uint8Array, sequence: SequenceHeader): IntraFrame | undefined {
  const bits = new BitReader(payload)
  const flag = (): boolean => bits.bit() === 1
  const format = readSampleFormat(new BitReader(sequence.bytes, sequence.rest), sequence.profile)
  // what tells when pictures are shown is not looked into
  if (sequence.decoderModel) return undefined
  let key = true
  let shown = true
  let showable = false
  let resilient = true
  if (!sequence.reduced) {
    if (flag()) return undefined
    const type = bits.bits(2)
    if (type !== KEY_FRAME && type !== INTRA_ONLY) return undefined
    key = type === KEY_FRAME
    shown = flag()
    showable = shown ? !key : flag()
    resilient = (key && shown) || flag()
  }
  const learns = !flag()
  const screenContent = (sequence.screenContent === EACH_FRAME ? bits.bit() : sequence.screenContent) === 1
  if (screenContent && sequence.integerVectors === EACH_FRAME) bits.skip(1)
  bits.skip(sequence.frameIdBits)
  const ownSize = !sequence.reduced && flag()
  const orderHint = bits.bits(sequence.orderHintBits)
  const refreshed = key && shown ? ALL_FRAMES : bits.bits(8)
  if (refreshed !== ALL_FRAMES && resilient && sequence.orderHintBits > 0)
    bits.skip(REFERENCES * sequence.orderHintBits)
  const size = readSize(bits, sequence, ownSize, format)
  const copies = screenContent && size.scale === SUPERRES_NUM && flag()
  // disable_frame_end_update_cdf
  const keepsDistributions = sequence.reduced || !learns || flag()
  const tiles = readTileLayout(bits, size.columns, size.rows, sequence.largeBlocks ? 5 : 4)
  const { quantiser, alike } = readQuantiser(bits, format)
  const segments = readSegments(bits, quantiser)
  const deltaQuantiser = quantiser > 0 && flag()
  if (deltaQuantiser) bits.skip(2)
  const deltaFilters = deltaQuantiser && !copies && flag() ? readFilterDeltas(bits, format) : 0
  const lossless = segments.quantisers.map((index) => index === 0 && alike)
  const allLossless = lossless.every(Boolean)
  if (!allLossless && !copies) skipLoopFilter(bits, format)
  const cdefBits = allLossless || copies || !format.cdef ? -1 : readCdef(bits, format)
  const unrestored = (allLossless && size.scale === SUPERRES_NUM) || copies || !format.restores
  const restoration = unrestored ? NONE_RESTORED : readRestoration(bits, format, sequence.largeBlocks)
  const transformsDiffer = !allLossless && flag()
  const fewTransformTypes = flag()
  if (format.filmGrain && (shown || showable)) skipFilmGrain(bits, format)
  // frames are at most as large as their sequence, §6.8.4: what is larger would cost more than its header shows
  if (size.upscaledWidth > sequence.width || size.height > sequence.height || bits.overrun) return undefined
  return {
    ...{ format, largeBlocks: sequence.largeBlocks, filtersIntra: sequence.filtersIntra },
    ...size,
    ...{ learns, screenContent, copies, tiles, quantiser, segments, lossless, deltaQuantiser, deltaFilters },
    ...{ keepsDistributions, refreshed, orderHint, shown, key },
    ...{ cdefBits, ...restoration, transformsDiffer, fewTransformTypes, bits: bits.position },
  }
}

/** frame_size and render_size, §5.9.5 to §5.9.9. */
export function readSize(bits: BitReader, sequence: SequenceHeader, own: boolean, format: SampleFormat) {
  const upscaledWidth = own ? bits.bits(sequence.widthBits) + 1 : sequence.width
  const height = own ? bits.bits(sequence.heightBits) + 1 : sequence.height
  const size = readSuperResolution(bits, format, upscaledWidth, height)
  if (bits.bit() === 1) bits.skip(32)
  return size
}

/** superres_params and compute_image_size. */
export function readSuperResolution(
  bits: BitReader,
  { upscales }: SampleFormat,
  upscaledWidth: number,
  height: number,
) {
  const scale = upscales && bits.bit() === 1 ? bits.bits(SUPERRES_BITS) + SUPERRES_MIN : SUPERRES_NUM
  const width = Math.floor((upscaledWidth * SUPERRES_NUM + (scale >> 1)) / scale)
  const columns = 2 * ((width + 7) >> 3)
  const rows = 2 * ((height + 7) >> 3)
  return { width, upscaledWidth, height, scale, columns, rows }
}

/** quantization_params, §5.9.12: base_q_idx, and whether all quantisers follow it. */
export function readQuantiser(bits: BitReader, format: SampleFormat): { quantiser: number; alike: boolean } {
  const quantiser = bits.bits(8)
  let alike = true
  const delta = (): void => {
    if (bits.bit() === 1 && bits.bits(7) !== 0) alike = false
  }
  delta()
  if (!format.mono) {
    const differ = format.separateChroma && bits.bit() === 1
    for (let i = 0; i < (differ ? 4 : 2); i++) delta()
  }
  if (bits.bit() === 1) bits.skip(format.separateChroma ? 12 : 8)
  return { quantiser, alike }
}

/** The rest of delta_lf_params, §5.9.18. */
export function readFilterDeltas(bits: BitReader, { mono }: SampleFormat): number {
  bits.skip(2)
  if (bits.bit() === 0) return 1
  return mono ? 2 : 4
}

/** loop_filter_params, §5.9.11. */
export function skipLoopFilter(bits: BitReader, { mono }: SampleFormat): void {
  const levels = bits.bits(12)
  if (!mono && levels > 0) bits.skip(12)
  bits.skip(3)
  if (bits.bit() === 0 || bits.bit() === 0) return
  for (let i = 0; i < REFERENCES + 2; i++) if (bits.bit() === 1) bits.skip(7)
}

/** cdef_params, §5.9.19. */
export function readCdef(bits: BitReader, { mono }: SampleFormat): number {
  bits.skip(2)
  const width = bits.bits(2)
  bits.skip((mono ? 6 : 12) << width)
  return width
}

export const NONE_RESTORED = { restorations: [UNRESTORED, UNRESTORED, UNRESTORED], unitSides: [0, 0, 0] }

/** lr_params, §5.9.20. */
export function readRestoration(bits: BitReader, { mono, x, y }: SampleFormat, largeBlocks: boolean) {
  const restorations = Array.from({ length: mono ? 1 : 3 }, () => RESTORATIONS[bits.bits(2)])
  if (restorations.every((kind) => kind === UNRESTORED)) return NONE_RESTORED
  let shift = bits.bit()
  if (largeBlocks) shift++
  else if (shift === 1) shift += bits.bit()
  const chroma = restorations.slice(1).some((kind) => kind !== UNRESTORED)
  const smaller = x === 1 && y === 1 && chroma ? bits.bit() : 0
  const side = LARGEST_UNIT >> (2 - shift)
  return { restorations, unitSides: [side, side >> smaller, side >> smaller] }
}
