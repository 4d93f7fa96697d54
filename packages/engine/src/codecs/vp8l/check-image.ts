import { LowBits } from '../../bytes/deflate/low-bits.ts'
import { FillingPixels } from './filling-pixels.ts'
import { type Group, LENGTHS, LITERALS, readSymbolCode, type SymbolCode } from './symbol-code.ts'

/** First byte of a lossless image, WebP Lossless Bitstream Specification §3. */
export const SIGNATURE = 0x2f
/** Bytes of signature, size and version. */
export const HEADER = 5
const SIDE_BITS = 14

/** How far a lossless image can be read. */
export interface LosslessCheck {
  readonly width: number
  readonly height: number
  /** Pixels in scan order, from the first on, that are there, of those of the image as it is coded. */
  readonly pixels: number
  readonly total: number
  /** Pixels of a row as it is coded: several may share one. */
  readonly rowPixels: number
  /** `whole`: to its last pixel; `cut`: the bytes end before it; `broken`: something that no encoder writes. */
  readonly end: 'whole' | 'cut' | 'broken'
  /** Bytes that reading the whole image takes; more than there are where zeros must follow. */
  readonly bytes: number
  /** Bits up to the end of the last pixel that is there. */
  readonly bits: number
  /** What is left of the last byte is zero, as encoders leave it. */
  readonly padded: boolean
  /** Pixels are told by how they differ from their neighbours. */
  readonly predicted: boolean
}

/** The fields of a lossless image's header; undefined where there is none. */
export function losslessFields(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (bytes.length < HEADER || bytes[0] !== SIGNATURE) return undefined
  const bits = new LowBits(bytes, 8)
  const width = bits.take(SIDE_BITS) + 1
  const height = bits.take(SIDE_BITS) + 1
  // whether it is transparent, which changes nothing about how it is read
  bits.take(1)
  return bits.take(3) === 0 ? { width, height } : undefined
}

/** The header of an image of a size, 1 to 16384 each. */
export function losslessHeader(width: number, height: number, alpha: boolean): Uint8Array {
  const sides = (width - 1) | ((height - 1) << SIDE_BITS) | (alpha ? 1 << (2 * SIDE_BITS) : 0)
  return Uint8Array.of(SIGNATURE, sides & 0xff, (sides >> 8) & 0xff, (sides >> 16) & 0xff, sides >>> 24)
}

/** Reads a lossless image as a decoder would, without making pixels of it; undefined where its header is not one. */
export function checkLossless(bytes: Uint8Array): LosslessCheck | undefined {
  const fields = losslessFields(bytes)
  if (!fields) return undefined
  return { ...fields, ...new ImageReader(new LowBits(bytes, HEADER * 8)).read(fields.width, fields.height) }
}

/** Reads the image of a transparency, which has no header (WebP Container Specification, alpha chunk). */
export function checkLosslessAlpha(bytes: Uint8Array, width: number, height: number): LosslessCheck {
  return { width, height, ...new ImageReader(new LowBits(bytes)).read(width, height) }
}

/**
 * Codes an image again up to a pixel, and goes on with the plainest pixels that its codes have; undefined where they have none.
 */
export function rewriteLossless(bytes: Uint8Array, pixels: number): Uint8Array | undefined {
  const fields = losslessFields(bytes)
  return fields && rewrite(bytes, HEADER * 8, fields.width, fields.height, pixels)
}

/** The same for the image of a transparency, which has no header. */
export function rewriteLosslessAlpha(
  bytes: Uint8Array,
  width: number,
  height: number,
  pixels: number,
): Uint8Array | undefined {
  return rewrite(bytes, 0, width, height, pixels)
}

function rewrite(
  bytes: Uint8Array,
  from: number,
  width: number,
  height: number,
  pixels: number,
): Uint8Array | undefined {
  const rest = new FillingPixels(bytes, pixels)
  const { end } = new ImageReader(new LowBits(bytes, from), rest).read(width, height)
  return end === 'whole' ? rest.done() : undefined
}

type Progress = Pick<
  LosslessCheck,
  'pixels' | 'total' | 'rowPixels' | 'end' | 'bytes' | 'bits' | 'padded' | 'predicted'
>
type MainProgress = Pick<Progress, 'pixels' | 'end' | 'bytes' | 'bits' | 'padded'>

const PREDICTOR = 0
const COLOUR = 1
const SUBTRACT_GREEN = 2
const DISTANCES = 40
/** Distance codes of places near a pixel, §5.2.2. */
const NEAR = 120
/** Groups of prefix codes: more than a picture of this size can use are no encoder's. */
const MOST_GROUPS = 1 << 16

class ImageReader {
  readonly #bits: LowBits
  readonly #rest: FillingPixels | undefined
  #predicted = false

  constructor(bits: LowBits, rest?: FillingPixels) {
    this.#bits = bits
    this.#rest = rest
  }

  read(width: number, height: number): Progress {
    const coded = this.#transforms(width, height)
    const total = (coded ?? width) * height
    const rowPixels = coded ?? width
    const state = coded === undefined ? undefined : this.#main(coded, height)
    return { ...(state ?? this.#none()), total, rowPixels, predicted: this.#predicted }
  }

  #none(): MainProgress {
    const bits = this.#bits.position
    return {
      pixels: 0,
      end: this.#bits.cut ? 'cut' : 'broken',
      bytes: Math.ceil(bits / 8),
      bits,
      padded: false,
    }
  }

  /** Reads all transforms, §4; the width of the image that is coded, undefined where they break off. */
  #transforms(width: number, height: number): number | undefined {
    const bits = this.#bits
    const seen = new Set<number>()
    let coded = width
    while (bits.take(1) === 1) {
      const type = bits.take(2)
      if (seen.has(type) || bits.cut) return undefined
      seen.add(type)
      if (type === SUBTRACT_GREEN) continue
      if (type === PREDICTOR || type === COLOUR) {
        this.#predicted ||= type === PREDICTOR
        const size = bits.take(3) + 2
        if (!this.#image(parts(coded, size), parts(height, size), undefined)) return undefined
        continue
      }
      const colours = bits.take(8) + 1
      if (!this.#image(colours, 1, undefined)) return undefined
      coded = parts(coded, colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0)
    }
    return bits.cut ? undefined : coded
  }

  #main(width: number, height: number): MainProgress | undefined {
    const bits = this.#bits
    const cache = this.#cache()
    if (cache === undefined) return undefined
    let meta: { groups: Uint32Array; bits: number; wide: number } | undefined
    let count = 1
    if (bits.take(1) === 1) {
      const size = bits.take(3) + 2
      const wide = parts(width, size)
      const groups = new Uint32Array(wide * parts(height, size))
      if (!this.#image(wide, parts(height, size), groups)) return undefined
      for (let i = 0; i < groups.length; i++) {
        groups[i] = (groups[i] >> 8) & 0xffff
        count = Math.max(count, groups[i] + 1)
      }
      meta = { groups, bits: size, wide }
    }
    if (count > MOST_GROUPS) return undefined
    const groups: Group[] = []
    for (let i = 0; i < count; i++) {
      const group = this.#group(cache)
      if (!group) return undefined
      groups.push(group)
    }
    let end: Progress['end'] = 'whole'
    let there = 0
    let last = bits.position
    const total = width * height
    for (let at = 0; at < total; ) {
      const x = at % width
      const y = Math.floor(at / width)
      const group = meta ? groups[meta.groups[(y >> meta.bits) * meta.wide + (x >> meta.bits)]] : groups[0]
      if (this.#rest && at >= this.#rest.from) {
        if (!this.#rest.fill(group, bits.position)) return undefined
        there = ++at
        continue
      }
      const count = this.#symbol(group, at, width, total)
      if (count === 0)
        return {
          pixels: there,
          end: 'broken',
          bytes: Math.ceil(bits.position / 8),
          bits: last,
          padded: false,
        }
      at += count
      if (bits.cut) end = 'cut'
      if (end === 'cut') continue
      there = at
      last = bits.position
    }
    const padded = bits.take((8 - (last % 8)) % 8) === 0
    return { pixels: there, end, bytes: Math.ceil(last / 8), bits: last, padded }
  }

  /** Bits of the colour cache's size, 0 for none, §5.2.3; undefined for one that cannot be. */
  #cache(): number | undefined {
    if (this.#bits.take(1) === 0) return 0
    const size = this.#bits.take(4)
    return size >= 1 && size <= 11 ? size : undefined
  }

  #group(cache: number): Group | undefined {
    const codes: SymbolCode[] = []
    for (const symbols of [
      LITERALS + LENGTHS + (cache > 0 ? 1 << cache : 0),
      LITERALS,
      LITERALS,
      LITERALS,
      DISTANCES,
    ]) {
      const code = readSymbolCode(this.#bits, symbols)
      if (!code || this.#bits.cut) return undefined
      codes.push(code)
    }
    const [green, red, blue, alpha, distance] = codes
    return [green, red, blue, alpha, distance]
  }

  /** Reads one symbol of the main image: how many pixels it gives, 0 where it cannot be. */
  #symbol([green, red, blue, alpha, distance]: Group, at: number, width: number, total: number): number {
    const bits = this.#bits
    const symbol = green.read(bits)
    if (symbol < 0) return 0
    if (symbol < LITERALS) {
      const rest = [red, blue, alpha].every((code) => code.read(bits) >= 0)
      return rest ? 1 : 0
    }
    if (symbol >= LITERALS + LENGTHS) return 1
    const length = this.#number(symbol - LITERALS)
    const code = distance.read(bits)
    if (code < 0) return 0
    const back = distanceOf(this.#number(code), width)
    return back > at || at + length > total ? 0 : length
  }

  /** A length or distance by its prefix and extra bits, §5.2.2. */
  #number(prefix: number): number {
    if (prefix < 4) return prefix + 1
    const extra = (prefix - 2) >> 1
    const more =
      extra > 16 ? this.#bits.take(16) + 65_536 * this.#bits.take(extra - 16) : this.#bits.take(extra)
    return ((2 + (prefix & 1)) << extra) + more + 1
  }

  /** Reads an image that serves the main one, §6.2.2, into `values` where they are wanted; false where it breaks off. */
  #image(width: number, height: number, values: Uint32Array | undefined): boolean {
    const bits = this.#bits
    const cache = this.#cache()
    const group = cache === undefined ? undefined : this.#group(cache)
    if (!group || cache === undefined) return false
    const total = width * height
    const pixels = values ?? new Uint32Array(total)
    const cached = new Uint32Array(cache > 0 ? 1 << cache : 0)
    const remember = (value: number): void => {
      if (cache > 0) cached[Math.imul(0x1e35a7bd, value) >>> (32 - cache)] = value
    }
    const [green, red, blue, alpha, distance] = group
    for (let at = 0; at < total; ) {
      const symbol = green.read(bits)
      if (symbol < 0 || bits.cut) return false
      if (symbol < LITERALS) {
        const high = red.read(bits)
        const low = blue.read(bits)
        const opacity = alpha.read(bits)
        if (high < 0 || low < 0 || opacity < 0) return false
        pixels[at] = ((opacity << 24) | (high << 16) | (symbol << 8) | low) >>> 0
        remember(pixels[at++])
        continue
      }
      if (symbol >= LITERALS + LENGTHS) {
        pixels[at] = cached[symbol - LITERALS - LENGTHS]
        remember(pixels[at++])
        continue
      }
      const length = this.#number(symbol - LITERALS)
      const code = distance.read(bits)
      const back = code < 0 ? Infinity : distanceOf(this.#number(code), width)
      if (back > at || at + length > total) return false
      for (let i = 0; i < length; i++, at++) {
        pixels[at] = pixels[at - back]
        remember(pixels[at])
      }
    }
    return !bits.cut
  }
}

function parts(length: number, bits: number): number {
  return Math.ceil(length / (1 << bits))
}

/** Places near a pixel by their distance codes, §5.2.2: columns to the left, rows up. */
// biome-ignore format: a table
const NEAR_PLACES = Int8Array.of(
  0, 1, 1, 0, 1, 1, -1, 1, 0, 2, 2, 0, 1, 2, -1, 2, 2, 1, -2, 1, 2, 2, -2, 2, 0, 3, 3, 0, 1, 3, -1, 3, 3, 1, -3, 1, 2, 3, -2, 3,
  3, 2, -3, 2, 0, 4, 4, 0, 1, 4, -1, 4, 4, 1, -4, 1, 3, 3, -3, 3, 2, 4, -2, 4, 4, 2, -4, 2, 0, 5, 3, 4, -3, 4, 4, 3, -4, 3, 5, 0,
  1, 5, -1, 5, 5, 1, -5, 1, 2, 5, -2, 5, 5, 2, -5, 2, 4, 4, -4, 4, 3, 5, -3, 5, 5, 3, -5, 3, 0, 6, 6, 0, 1, 6, -1, 6, 6, 1, -6, 1,
  2, 6, -2, 6, 6, 2, -6, 2, 4, 5, -4, 5, 5, 4, -5, 4, 3, 6, -3, 6, 6, 3, -6, 3, 0, 7, 7, 0, 1, 7, -1, 7, 5, 5, -5, 5, 7, 1, -7, 1,
  4, 6, -4, 6, 6, 4, -6, 4, 2, 7, -2, 7, 7, 2, -7, 2, 3, 7, -3, 7, 7, 3, -7, 3, 5, 6, -5, 6, 6, 5, -6, 5, 8, 0, 4, 7, -4, 7, 7, 4,
  -7, 4, 8, 1, 8, 2, 6, 6, -6, 6, 8, 3, 5, 7, -5, 7, 7, 5, -7, 5, 8, 4, 6, 7, -6, 7, 7, 6, -7, 6, 8, 5, 7, 7, -7, 7, 8, 6, 8, 7,
)

function distanceOf(code: number, width: number): number {
  if (code > NEAR) return code - NEAR
  const at = 2 * (code - 1)
  return Math.max(1, NEAR_PLACES[at] + NEAR_PLACES[at + 1] * width)
}
