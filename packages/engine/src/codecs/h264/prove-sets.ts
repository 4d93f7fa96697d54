import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { unescaped } from '../nal/rbsp.ts'
import { codedWidths, PICTURE_SIZES } from '../picture-sizes.ts'
import type { AvcConfig } from './avcc.ts'
import { type HeaderSyntax, setsOf } from './header-guess.ts'
import type { LooseSlice } from './loose-slices.ts'
import type { Pps } from './pps.ts'
import { CabacSliceReader } from './slice-data/cabac-slice.ts'
import { CavlcSliceReader } from './slice-data/cavlc-slice.ts'
import type { PictureLayout, SliceReading } from './slice-data/picture-layout.ts'
import { SliceHeader } from './slice-header.ts'
import type { Sps } from './sps.ts'
import type { EncoderNote } from './x264-note.ts'

/** What only the macroblocks show. */
export interface ProvenPicture {
  readonly widthInMbs: number
  readonly heightInMbs: number
  readonly transform8x8: boolean
  /** 26 + pic_init_qp_minus26; a guess where the entropy coding does not depend on it. */
  readonly initQp: number
  /** chroma_format_idc. */
  readonly chromaFormat: number
  /** Pictures that read exactly to their ends. */
  readonly pictures: number
  /** None of those looked at does not. */
  readonly all: boolean
}

/** Intra pictures read to prove a size. */
const PICTURES = 4
/** Of which so many say the same where others were hit. */
const FEWEST_AGREEING = 2
/** Bytes of one slice read: the key pictures of the largest cameras. */
const MAX_SLICE = 1 << 23
/** Slices of one picture followed. */
const MAX_SLICES = 64
/** Wider or taller pictures than this many times the other side are misreadings of flat pictures. */
const MOST_ASPECT = 3.3
/** Largest picture of level 6.2, in macroblocks. */
const MAX_PICTURE = 139_264
/** Macroblocks read in vain before giving up: less than a second of work for the smallest file, about one for the largest. */
const LEAST_BUDGET = 600_000
const MOST_BUDGET = 1_000_000
/** Bytes of a file that allow for one more. */
const BYTES_A_MACROBLOCK = 16
/** Steps of all searches that one takes. */
const MACROBLOCK_PRICE = 50
/** Two to this power bytes take as long as a macroblock of which little is coded. */
const BYTES_BITS = 3

/** An intra slice of a picture: unescaped bytes and the header's facts. */
interface IntraSlice {
  readonly bytes: Uint8Array
  readonly firstMb: number
  readonly dataBit: number
  readonly qp: number
  /** It belongs to a field. */
  readonly field: boolean
  /** Its macroblocks come in pairs. */
  readonly pairs: boolean
}

/** Macroblocks that may be read in vain, in proportion to a file's size. */
export function vainMacroblocks({ size, work }: ByteReader): Allowance {
  return new Allowance(
    Math.min(MOST_BUDGET, LEAST_BUDGET + size / BYTES_A_MACROBLOCK),
    work,
    MACROBLOCK_PRICE,
  )
}

/**
 * Reads intra pictures with given parameter sets in sizes unknown: the size with which all of them end exactly where their bits
 * end. The sets' own size is tried first. Undefined when no size does.
 */
export function proveSize(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  sps: Sps,
  pps: Pps,
  budget: Allowance,
): ProvenPicture | undefined {
  const pictures = intraPictures(reader, slices, sps, pps)
  if (pictures.length === 0) return undefined
  const layout = toolsOf(sps, pps)
  const widths = [sps.widthInMbs, ...codedWidths(16)]
  const found = fit(pictures, pictures.length, pps.cabac, layout, widths, 0, budget)
  return (
    found && {
      ...found,
      transform8x8: pps.transform8x8,
      initQp: pps.initQp,
      chromaFormat: sps.chromaFormat,
    }
  )
}

/**
 * Whether some intra picture among the slices reads exactly with the record's first sets in their own size; undefined without
 * any.
 * @param known answers of the same slices by what of the sets matters to them, which most bits of a record do not change
 */
export function readsAs(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  config: AvcConfig,
  known = new Map<string, boolean>(),
): boolean | undefined {
  const [sps] = config.sps
  const [pps] = config.pps
  if (!sps || !pps) return false
  const layout = { ...toolsOf(sps, pps), width: sps.widthInMbs, height: sps.heightInMbs }
  const total = layout.width * layout.height
  const budget = vainMacroblocks(reader)
  const pictures = intraPictures(reader, slices, sps, pps)
  if (pictures.length === 0) return undefined
  const told = pictures.map((picture) => picture.map(({ bytes, ...header }) => header))
  const key = JSON.stringify([pps.cabac, layout, told])
  const reads =
    known.get(key) ??
    pictures.some((picture) => sizeOf(picture, pps.cabac, layout, 0, budget).total === total)
  known.set(key, reads)
  return reads
}

/** Bytes that hold nearly every slice header. */
const HEAD = 96
/** Slices whose headers tell anything. */
const FEWEST_HEADERS = 8

/** Wrong sets find the alignment bits of a quarter of all headers right by chance. */
const CHANCE_HEADERS = 0.5

/**
 * Whether most headers of slices that refer to other pictures do not read with the record's first sets: intra ones tell nothing
 * of how many pictures others refer to. False without arithmetic coding, which alone aligns, and where there are few.
 */
export function headersContradict(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  { sps: [sps], pps: [pps] }: AvcConfig,
): boolean {
  const inter = slices.filter(({ intra }) => !intra)
  if (!sps || !pps?.cabac || inter.length < FEWEST_HEADERS) return false
  return headersRead(reader, inter, sps, pps) < inter.length * CHANCE_HEADERS
}

/** Right sets read this share of what looks like headers: the rest is chance, or was hit. */
const RIGHT_HEADERS = 0.8

/**
 * Whether nearly all headers of slices that refer to other pictures read with the record's first sets. False without arithmetic
 * coding, which alone aligns, and where there are few.
 */
export function headersAgree(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  { sps: [sps], pps: [pps] }: AvcConfig,
): boolean {
  const inter = slices.filter(({ intra }) => !intra)
  if (!sps || !pps?.cabac || inter.length < FEWEST_HEADERS) return false
  return headersRead(reader, inter, sps, pps) >= inter.length * RIGHT_HEADERS
}

/** Slices whose headers read to their alignment bits. */
function headersRead(reader: ByteReader, slices: readonly LooseSlice[], sps: Sps, pps: Pps): number {
  const sets = { sps: () => sps, pps: () => pps }
  const header = new SliceHeader()
  return slices.filter(({ offset, length }) => {
    const bytes = unescaped(reader.bytes(offset, Math.min(length, HEAD)).slice())
    return header.parse(bytes, bytes.length, sets)
  }).length
}

/** Quantisers that encoders start from, the usual first. */
const START_QPS = [26, 23, 28, 20, 24, 25, 27, 22, 21, 30, 29, 18, 19, 32, 31, 17, 16, 33, 34, 35, 36]
/** So many of them are tried with usual widths first, so many then with all others. */
const USUAL_QPS = 4
const COMMONEST_QPS = 2
/** Where CAVLC leaves the quantiser open. */
const USUAL_QP = 26
/** The sets that headers are parsed with say so. */
const HEADER_QP = 26

/**
 * As `proveSize`, for a syntax of headers alone: also finds colour format, transforms and the quantiser that pictures start from,
 * but for what a note of the encoder tells. Settings and widths that are usual go before others.
 * @param anchor the picture that must read, since any other may have been hit: half of them need to, and two at least
 */
export async function provePicture(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  syntax: HeaderSyntax,
  note: EncoderNote | undefined,
  budget: Allowance,
  pause: () => Promise<void>,
  anchor: number,
): Promise<ProvenPicture | undefined> {
  const { sps, pps } = setsOf(syntax)
  const pictures = intraPictures(reader, slices, sps, pps)
  if (anchor >= pictures.length || (anchor > 0 && pictures.length <= FEWEST_AGREEING)) return undefined
  pictures.unshift(...pictures.splice(anchor, 1))
  const least = Math.min(pictures.length, Math.max(FEWEST_AGREEING, pictures.length / 2))
  const widths = codedWidths(16)
  const usual = widths.splice(0, new Set(PICTURE_SIZES.map(([width]) => Math.ceil(width / 16))).size)
  const depth = note?.bitDepth ?? 8
  const common = { bitDepthLuma: depth, bitDepthChroma: depth }
  const quantisers = note ? [note.initQp] : syntax.cabac ? START_QPS : [USUAL_QP]
  // 4:2:2 goes with deeper samples, and is not looked for where everything else is unknown as well
  const chromaFormats = depth > 8 ? [1, 2] : [1]
  const transforms = note ? [note.transform8x8] : [true, false]
  let best: ProvenPicture | undefined
  const rounds: [qps: readonly number[], widths: readonly number[]][] = [
    [quantisers.slice(0, USUAL_QPS), usual],
    [quantisers.slice(0, COMMONEST_QPS), widths],
    [quantisers.slice(USUAL_QPS), usual],
    [quantisers.slice(COMMONEST_QPS), widths],
  ]
  for (const [qps, tried] of rounds) {
    for (const chromaFormat of chromaFormats) {
      for (const initQp of qps) {
        if (pictures[0].some(({ qp }) => isOutOfRange(qp + initQp - HEADER_QP, depth))) continue
        for (const transform8x8 of transforms) {
          const tools = { ...common, chromaFormat, transform8x8 }
          const found = fit(pictures, least, syntax.cabac, tools, tried, initQp - HEADER_QP, budget)
          if (found && found.pictures > (best?.pictures ?? 0))
            best = { ...found, transform8x8, initQp, chromaFormat }
          if (best?.all || budget.spent) return best
          await pause()
        }
      }
    }
  }
  return best
}

/** Whether a slice cannot have such a quantiser (SliceQPY), ITU-T H.264 (08/2021) §7.4.3. */
function isOutOfRange(qp: number, bitDepth: number): boolean {
  return qp > 51 || qp < -6 * (bitDepth - 8)
}

/** Pictures, or first fields of some, whose slices are all intra. */
function intraPictures(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  sps: Sps,
  pps: Pps,
): IntraSlice[][] {
  const sets = { sps: () => sps, pps: () => pps }
  const header = new SliceHeader()
  const pictures: IntraSlice[][] = []
  for (const slice of slices) {
    if (!slice.intra || slice.length > MAX_SLICE) continue
    const picture: IntraSlice[] = []
    let { offset, length } = slice
    for (let count = 0; count < MAX_SLICES; count++) {
      const bytes = unescaped(reader.bytes(offset, length).slice())
      if (!header.parse(bytes, bytes.length, sets) || header.type !== 2) break
      const { dataBit, qp, field } = header
      const pairs = sps.mbaff && !field
      // the second field begins anew
      if (picture.length > 0 && (field !== picture[0].field || header.firstMb === 0)) break
      picture.push({ bytes, firstMb: header.firstMb * (pairs ? 2 : 1), dataBit, qp, field, pairs })
      // further slices of the picture follow without a gap and begin at later macroblocks
      const next = offset + length + 4
      const size = reader.u32(next - 4)
      const continues = (reader.u8(next) & 31) === (reader.u8(offset) & 31) && reader.u8(next + 1) < 128
      if (!continues || size < 2 || size > MAX_SLICE || next + size > reader.size) break
      offset = next
      length = size
    }
    const [first] = picture
    if (first?.firstMb === 0) pictures.push(picture)
    if (pictures.length >= PICTURES) break
  }
  return pictures
}

type Tools = Omit<PictureLayout, 'width' | 'height' | 'field' | 'pairs'>

function toolsOf(sps: Sps, pps: Pps): Tools {
  return {
    transform8x8: pps.transform8x8,
    chromaFormat: sps.chromaFormat,
    bitDepthLuma: sps.bitDepthLuma,
    bitDepthChroma: sps.bitDepthChroma,
  }
}

/** The first picture and `least` of all, itself among them, read to their ends: the width with which most do. */
function fit(
  pictures: readonly (readonly IntraSlice[])[],
  least: number,
  cabac: boolean,
  tools: Tools,
  widths: readonly number[],
  qpShift: number,
  budget: Allowance,
): Pick<ProvenPicture, 'widthInMbs' | 'heightInMbs' | 'pictures' | 'all'> | undefined {
  let best: ReturnType<typeof fit>
  let bestIsUsual = false
  // where a reading fails in the first row, it fails with every row that is longer
  let longest = MAX_PICTURE
  for (const width of widths) {
    if (width > longest) continue
    const layout = { ...tools, width, height: Math.ceil(MAX_PICTURE / width) }
    const { total, failedAt } = sizeOf(pictures[0], cabac, layout, qpShift, budget)
    if (failedAt < width) longest = failedAt
    if (budget.spent) return best
    if (total === 0 || total % width !== 0) continue
    const height = total / width
    if (Math.max(width / height, height / width) > MOST_ASPECT) continue
    const others = pictures
      .slice(1)
      .filter((picture) => sizeOf(picture, cabac, layout, qpShift, budget).total === total)
    const agreeing = others.length + 1
    if (agreeing < least) continue
    const all = agreeing === pictures.length
    // flat pictures read well in any width: a usual size goes before others
    const usual = isUsual(width, height, isInterlaced(pictures[0]))
    const isBetter =
      !best || agreeing > best.pictures || (agreeing === best.pictures && usual && !bestIsUsual)
    if (!isBetter) continue
    best = { widthInMbs: width, heightInMbs: height, pictures: agreeing, all }
    bestIsUsual = usual
    if (all && usual) return best
  }
  return best
}

function isInterlaced([slice]: readonly IntraSlice[]): boolean {
  return slice !== undefined && (slice.field || slice.pairs)
}

/** Interlaced pictures are a whole number of macroblock pairs high. */
function isUsual(width: number, height: number, interlaced: boolean): boolean {
  const rows = interlaced ? 2 : 1
  return PICTURE_SIZES.some(
    ([w, h]) => Math.ceil(w / 16) === width && Math.ceil(h / (16 * rows)) * rows === height,
  )
}

interface PictureReading {
  /** Macroblocks of a picture, both fields together, all of whose slices read exactly, else 0. */
  readonly total: number
  /** Macroblocks of the first slice in front of the one that it failed at; Infinity where it did not. */
  readonly failedAt: number
}

function sizeOf(
  picture: readonly IntraSlice[],
  cabac: boolean,
  layout: Size,
  qpShift: number,
  budget: Allowance,
): PictureReading {
  let expected = 0
  for (const slice of picture) {
    if (slice.firstMb !== expected) return { total: 0, failedAt: Infinity }
    const { macroblocks, exact, bytes } = read(slice, cabac, layout, qpShift)
    if (!exact) {
      budget.take(Math.max(macroblocks, bytes >> BYTES_BITS) + 1)
      return { total: 0, failedAt: slice === picture[0] ? macroblocks : Infinity }
    }
    expected = slice.firstMb + macroblocks
  }
  return { total: picture[0]?.field ? 2 * expected : expected, failedAt: Infinity }
}

type Size = Tools & Pick<PictureLayout, 'width' | 'height'>

function read(slice: IntraSlice, cabac: boolean, size: Size, qpShift: number): SliceReading {
  const { bytes, firstMb, dataBit, qp, field, pairs } = slice
  const layout = { ...size, field, pairs }
  if (!cabac) return new CavlcSliceReader(layout).read(bytes, dataBit, bytes.length, firstMb, MAX_PICTURE)
  return new CabacSliceReader(layout).read(
    bytes,
    dataBit / 8,
    bytes.length,
    firstMb,
    qp + qpShift,
    MAX_PICTURE,
  )
}
