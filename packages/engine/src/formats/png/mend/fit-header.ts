import { ZLIB_HEADER } from '../../../bytes/deflate/inflate-zlib.ts'
import { Inflater, type Plain } from '../../../bytes/deflate/inflater.ts'
import { Allowance } from '../../../model/allowance.ts'
import { RECOVERED } from '../../../photo/picture/picture.ts'
import { type Chunk, chunkCrc, u32 } from '../read/chunk.ts'
import {
  GREY,
  GREY_ALPHA,
  type Header,
  headerBytes,
  KINDS,
  LARGEST_SIDE,
  PALETTE,
  pixelBits,
  RGB,
  RGB_ALPHA,
} from '../read/header.ts'
import { PAETH, passesOf, plainLength } from '../read/rows.ts'
import { pixelStep, unfiltered } from './unfilter.ts'

/** A header put together from the image data, and whether its checksum proves it. */
export interface FittedHeader {
  readonly header: Header
  readonly proven: boolean
}

/** Inflated data that are looked at. */
const MOST_PLAIN = 256 * 1024 * 1024
const FIRST_ROOM = 1 << 20
/** Bits of evidence by which a length of rows is no accident. */
const ENOUGH = 24
/** Lengths of rows that are compared. */
const MOST_STRIDES = 64
/** Rows whose smoothness tells how pixels are coded, and bytes of them with all headers together. */
const TRIED_ROWS = 64
const MOST_TRIED = 1 << 25
/**
 * Longer to shorter side of pictures, at most, where there are such, and up to which none speaks against a header: flat pictures
 * have rows of many lengths.
 */
const MOST_PROPORTIONS = 64
const USUAL_PROPORTIONS = 4
/** Widths that are tried for an interlaced picture. */
const MOST_INTERLACED = 20_000

/** What else a file has that tells of its header. */
export interface HeaderHints {
  /** The chunk of the header, hit as it may be. */
  readonly chunk: Chunk | undefined
  readonly chunks: readonly Chunk[]
  /** The header of another picture of the same source. */
  readonly sample: Header | undefined
}

/**
 * Finds width, height and coding of a picture by its data: rows begin with a filter type, and pixels are like their neighbours.
 */
export function fitHeader(
  bytes: Uint8Array,
  stream: Uint8Array,
  hints: HeaderHints,
): FittedHeader | undefined {
  const { plain, whole } = inflated(stream)
  if (plain.length < 2) return undefined
  const strides = stridesOf(plain, whole)
  const fits: Header[] = []
  for (const { stride } of strides)
    for (const kind of KINDS) fits.push(...headersOf(stride, plain.length, kind, whole))
  const isPlain = strides.length > 0 && strides[0].evidence >= ENOUGH
  const interlaced = whole && !isPlain ? interlacedOf(plain) : []
  const told = hints.sample && { ...hints.sample }
  if (told && plainLength(passesOf(told)) === plain.length) fits.unshift(told)
  const proven = [...fits, ...interlaced].find((header) => isProven(bytes, hints.chunk, header))
  if (proven) return { header: proven, proven: true }
  const likely = fits.filter((header) => agrees(header, hints) && (header.depth >= 8 || isWidest(header)))
  if (likely.length === 0) {
    const [first] = interlaced.filter((header) => agrees(header, hints))
    return first ? { header: first, proven: false } : undefined
  }
  const colours = (hints.chunks.find(({ type }) => type === 'PLTE')?.length ?? 3 * 256) / 3
  const common = likely.filter((header) => proportions(header) <= MOST_PROPORTIONS)
  const tried = common.length > 0 ? common : likely
  const each = MOST_TRIED / tried.length
  const costs = tried.map((header) => ({
    header,
    cost: roughness(plain, header, colours, each) * Math.max(1, proportions(header) / USUAL_PROPORTIONS),
  }))
  costs.sort((a, b) => a.cost - b.cost)
  return { header: costs[0].header, proven: false }
}

function inflated(stream: Uint8Array): { plain: Uint8Array; whole: boolean } {
  const out: Plain = { bytes: new Uint8Array(FIRST_ROOM), length: 0 }
  const inflater = new Inflater(stream, ZLIB_HEADER * 8, out)
  for (;;) {
    inflater.run(out.bytes.length)
    if (inflater.end !== undefined || out.bytes.length >= MOST_PLAIN) break
    const grown = new Uint8Array(Math.min(MOST_PLAIN, out.bytes.length * 2))
    grown.set(out.bytes.subarray(0, out.length))
    out.bytes = grown
  }
  return { plain: out.bytes.subarray(0, out.length), whole: inflater.end === 'whole' }
}

interface Stride {
  readonly stride: number
  readonly evidence: number
}

/**
 * Lengths of rows at which every row begins with a filter type, those with most evidence first; of a whole stream those that
 * divide it.
 */
function stridesOf(plain: Uint8Array, whole: boolean): Stride[] {
  const { length } = plain
  let types = 0
  for (const byte of plain) if (byte <= PAETH) types++
  const bits = -Math.log2(Math.min(1 - 1e-9, (types + 1) / (length + 1)))
  const found: Stride[] = []
  const allowance = new Allowance(4 * length + (1 << 20))
  for (let stride = 2; stride <= Math.min(length, LARGEST_SIDE * 8); stride++) {
    if (whole && length % stride !== 0) continue
    let at = 0
    while (at < length && plain[at] <= PAETH && allowance.take()) at += stride
    if (at >= length) found.push({ stride, evidence: Math.floor(length / stride) * bits })
  }
  return found.sort((a, b) => b.evidence - a.evidence || a.stride - b.stride).slice(0, MOST_STRIDES)
}

/** Headers of a coding whose rows have a length: less than a byte a pixel leaves several widths. */
function headersOf(
  stride: number,
  length: number,
  kind: Pick<Header, 'colour' | 'depth'>,
  whole: boolean,
): Header[] {
  const bits = pixelBits(kind)
  const most = Math.floor(((stride - 1) * 8) / bits)
  const least = Math.floor(((stride - 2) * 8) / bits) + 1
  const height = whole ? length / stride : Math.ceil(length / stride)
  if (bits >= 8 && ((stride - 1) * 8) % bits !== 0) return []
  const headers: Header[] = []
  for (let width = most; width >= Math.max(1, least) && width <= LARGEST_SIDE; width--)
    headers.push({ ...kind, width, height, interlaced: false })
  return headers
}

function isWidest(header: Header): boolean {
  return (header.width * pixelBits(header)) % 8 === 0
}

/** Interlaced pictures whose data are as long, and whose rows all begin with filter types. */
function interlacedOf(plain: Uint8Array): Header[] {
  const found: Header[] = []
  const tried = new Set<number>()
  for (const kind of KINDS) {
    // codings of as many bits a pixel lie alike
    const bits = pixelBits(kind)
    const alike = KINDS.filter((other) => pixelBits(other) === bits)
    if (tried.has(bits)) continue
    tried.add(bits)
    for (let width = 1; width <= MOST_INTERLACED && (width * bits) / 8 <= plain.length; width++) {
      const height = heightFor(plain.length, { ...kind, width, height: 1, interlaced: true })
      if (height === 0) continue
      const passes = passesOf({ ...kind, width, height, interlaced: true })
      const begins = passes.every(({ start, stride, height: rows }) => {
        for (let row = 0; row < rows; row++) if (plain[start + row * stride] > PAETH) return false
        return true
      })
      if (begins) found.push(...alike.map((each) => ({ ...each, width, height, interlaced: true })))
    }
  }
  return found.slice(0, MOST_STRIDES * KINDS.length)
}

/** The height at which the data of an interlaced picture are exactly so long; 0 when there is none. */
function heightFor(length: number, header: Header): number {
  let low = 1
  let high = Math.min(LARGEST_SIDE, Math.ceil((length * 8) / (header.width * pixelBits(header))))
  while (low < high) {
    const height = (low + high) >> 1
    if (plainLength(passesOf({ ...header, height })) < length) low = height + 1
    else high = height
  }
  return plainLength(passesOf({ ...header, height: low })) === length ? low : 0
}

/** Whether the checksum of a header that was hit agrees with another. */
function isProven(bytes: Uint8Array, chunk: Chunk | undefined, header: Header): boolean {
  if (!chunk || chunk.crc === 'missing') return false
  return chunkCrc('IHDR', headerBytes(header)) === u32(bytes, chunk.body + chunk.length)
}

/** Whether the lengths of other chunks, and a sample, allow a coding: PNG (Third Edition) §11.2.2, §11.3.1, §11.3.4. */
function agrees({ colour, depth }: Header, { chunks, sample }: HeaderHints): boolean {
  if (sample) return sample.colour === colour && sample.depth === depth
  const lengthOf = (type: string): number | undefined => chunks.find((chunk) => chunk.type === type)?.length
  const palette = lengthOf('PLTE')
  if ((colour === PALETTE) !== (palette !== undefined) && (colour === PALETTE || depth < 8)) return false
  if (palette !== undefined && (colour === GREY || colour === GREY_ALPHA)) return false
  if (colour === PALETTE && palette !== undefined && palette / 3 > 1 << depth) return false
  const transparent = lengthOf('tRNS')
  if (transparent !== undefined) {
    if (colour === GREY_ALPHA || colour === RGB_ALPHA) return false
    if (colour === GREY && transparent !== 2) return false
    if (colour === RGB && transparent !== 6) return false
  }
  const significant = lengthOf('sBIT')
  const samples = { [GREY]: 1, [RGB]: 3, [PALETTE]: 3, [GREY_ALPHA]: 2, [RGB_ALPHA]: 4 }[colour]
  if (significant !== undefined && significant !== samples) return false
  const background = lengthOf('bKGD')
  const ground = { [GREY]: 2, [RGB]: 6, [PALETTE]: 1, [GREY_ALPHA]: 2, [RGB_ALPHA]: 6 }[colour]
  return background === undefined || background === ground
}

function proportions({ width, height }: Header): number {
  return Math.max(width, height) / Math.min(width, height)
}

/**
 * How much samples differ from their neighbours on the left when the first rows, of about so many bytes at most, are read with
 * this header; infinite for colours there are none of.
 */
function roughness(plain: Uint8Array, header: Header, colours: number, most: number): number {
  const rows = Math.max(1, Math.floor((most * 8) / (header.width * pixelBits(header))))
  const height = Math.min(TRIED_ROWS, header.height, rows)
  const part = { ...header, height }
  const passes = passesOf(part)
  const states = new Uint8Array(plainLength(passes)).fill(RECOVERED)
  const bytes = new Uint8Array(states.length)
  bytes.set(plain.subarray(0, states.length))
  const { pixels, width } = unfiltered({ bytes, states }, part, passes, header.width, height)
  if (header.colour === PALETTE && pixels.some((index) => index >= colours)) return Infinity
  const step = pixelStep(header)
  const size = header.depth === 16 ? 2 : 1
  let sum = 0
  let count = 0
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++)
      for (let i = 0; i < step; i += size) {
        const at = (y * width + x) * step + i
        sum += Math.abs(pixels[at] - pixels[at - step])
        count++
      }
  const scale = header.depth < 8 ? 255 / ((1 << header.depth) - 1) : 1
  return (sum * scale + 1) / Math.max(1, count)
}
