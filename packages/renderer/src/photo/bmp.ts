import { readFileSync } from 'node:fs'
import { RendererError } from '../errors.ts'
import { MOST_PIXELS, type Pixels } from './pixels.ts'

/** Bytes of BITMAPFILEHEADER, and of the header of OS/2. */
const FILE_HEADER = 14
const CORE = 12
const INFO = 40
const RLE8 = 1
const RLE4 = 2
const BITFIELDS = [3, 6]
/** Masks of 16 and 32 bits where none are told. */
const MASKS_16 = [0x7c00, 0x3e0, 0x1f, 0]
const MASKS_32 = [0xff0000, 0xff00, 0xff, 0]
const CHANNELS = 4

interface Bitmap {
  readonly width: number
  readonly height: number
  readonly topDown: boolean
  readonly bits: number
  readonly compression: number
  readonly masks: readonly number[]
  /** First byte of the colours, and bytes of each. */
  readonly palette: number
  readonly colourBytes: number
  readonly pixels: number
}

/**
 * Decodes a bitmap of Windows or OS/2. `strict`: fails where pixels are missing; else they are black.
 * @throws RendererError `input`, `memory`
 */
export function decodeBmp(path: string, strict: boolean): Pixels {
  const bytes = readFileSync(path)
  const bitmap = headOf(bytes)
  const { width, height, compression } = bitmap
  const data = new Uint8Array(width * height * CHANNELS)
  for (let i = CHANNELS - 1; i < data.length; i += CHANNELS) data[i] = 255
  const missing =
    compression === RLE8 || compression === RLE4
      ? paintRuns(bytes, bitmap, data)
      : paintRows(bytes, bitmap, data)
  if (strict && missing) throw new RendererError('input', 'the pixels of the bitmap break off')
  return { width, height, channels: CHANNELS, data }
}

function headOf(bytes: Buffer): Bitmap {
  const size = bytes.length >= FILE_HEADER + CORE ? bytes.readUInt32LE(FILE_HEADER) : 0
  const core = size === CORE
  if (!core && (size < INFO || bytes.length < FILE_HEADER + size)) throw broken()
  const width = core ? bytes.readUInt16LE(18) : bytes.readInt32LE(18)
  const signed = core ? bytes.readUInt16LE(20) : bytes.readInt32LE(22)
  const height = Math.abs(signed)
  const bits = bytes.readUInt16LE(core ? 24 : 28)
  const compression = core ? 0 : bytes.readUInt32LE(30)
  if (width <= 0 || height === 0 || ![1, 2, 4, 8, 16, 24, 32].includes(bits)) throw broken()
  if (width * height > MOST_PIXELS)
    throw new RendererError('memory', `a picture of ${width}x${height} pixels`)
  const told = BITFIELDS.includes(compression)
  if (!told && compression > RLE4) throw broken()
  const alphaTold = told && (size >= INFO + 16 || compression === 6)
  const masks = told
    ? [54, 58, 62, 66].map((at, i) => (i < 3 || alphaTold ? mask(bytes, at) : 0))
    : bits === 16
      ? MASKS_16
      : MASKS_32
  const behind = told && size === INFO ? 4 * (compression === 6 ? 4 : 3) : 0
  return {
    ...{ width, height, topDown: signed < 0, bits, compression, masks },
    palette: FILE_HEADER + size + behind,
    colourBytes: core ? 3 : 4,
    pixels: bytes.readUInt32LE(10),
  }
}

function broken(): RendererError {
  return new RendererError('input', 'the header of the bitmap cannot be read')
}

function mask(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0
}

/** Paints rows of plain pixels; true where some are missing. */
function paintRows(bytes: Buffer, bitmap: Bitmap, data: Uint8Array): boolean {
  const { width, height, topDown, bits, pixels } = bitmap
  const stride = Math.ceil((width * bits) / 32) * 4
  const channels = bitmap.masks.map(channelOf)
  for (let row = 0; row < height; row++) {
    const from = pixels + row * stride
    const to = (topDown ? row : height - 1 - row) * width * CHANNELS
    for (let x = 0; x < width; x++) {
      const at = from + ((x * bits) >> 3)
      if (at + Math.ceil(bits / 8) > bytes.length) return true
      if (bits <= 8)
        paintColour(bytes, bitmap, data, to + x * CHANNELS, (bytes[at] ?? 0) >> (8 - bits - ((x * bits) & 7)))
      else if (bits === 24) for (let i = 0; i < 3; i++) data[to + x * CHANNELS + i] = bytes[at + 2 - i] ?? 0
      else {
        const value = bits === 16 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at)
        for (const [i, { shift, most }] of channels.entries())
          if (most > 0)
            data[to + x * CHANNELS + i] = Math.round((255 * (Math.floor(value / shift) & most)) / most)
      }
    }
  }
  return false
}

/** The step of a channel's lowest bit, and its highest level. */
function channelOf(bits: number): { readonly shift: number; readonly most: number } {
  let shift = 1
  let rest = bits
  while (rest > 0 && rest % 2 === 0) {
    rest /= 2
    shift *= 2
  }
  return { shift, most: rest }
}

function paintColour(
  bytes: Buffer,
  { palette, colourBytes, bits, pixels }: Bitmap,
  data: Uint8Array,
  to: number,
  index: number,
): void {
  const colour = palette + (index & ((1 << bits) - 1)) * colourBytes
  // a colour that the palette does not have is black
  if (colour + colourBytes > pixels) return
  for (let i = 0; i < 3; i++) data[to + i] = bytes[colour + 2 - i] ?? 0
}

/** Paints run-length codes, [MS-WMF] §3.1.6; true where they break off before their end. */
function paintRuns(bytes: Buffer, bitmap: Bitmap, data: Uint8Array): boolean {
  const { width, height, bits } = bitmap
  let x = 0
  let row = 0
  const put = (index: number): void => {
    if (x < width && row < height)
      paintColour(bytes, bitmap, data, ((height - 1 - row) * width + x) * CHANNELS, index)
    x++
  }
  for (let at = bitmap.pixels; at + 1 < bytes.length; ) {
    const count = bytes[at++] ?? 0
    const value = bytes[at++] ?? 0
    if (count > 0) {
      for (let i = 0; i < count; i++) put(bits === 8 ? value : i & 1 ? value & 15 : value >> 4)
    } else if (value === 0) {
      x = 0
      row++
    } else if (value === 1) return false
    else if (value === 2) {
      x += bytes[at++] ?? 0
      row += bytes[at++] ?? 0
    } else {
      for (let i = 0; i < value; i++) {
        const byte = bytes[at + (bits === 8 ? i : i >> 1)] ?? 0
        put(bits === 8 ? byte : i & 1 ? byte & 15 : byte >> 4)
      }
      at += Math.ceil((value * bits) / 16) * 2
    }
  }
  return row < height - 1
}
