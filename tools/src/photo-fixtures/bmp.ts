import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/bmp.ts`: makes the contract suite's bitmaps anew, the same every time: colours bottom-up with a
 * sample of the same size, masks top-down behind the header of version 5, a palette, that of OS/2, two colours, and run lengths.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/bmp', import.meta.url))
const FILE_HEADER = 14

function level(x: number, y: number, channel: number): number {
  return Math.min(255, 20 + Math.floor(235 * fbm2(x / 20, y / 20, 3, channel * 7)))
}

/** Rows of pixels, each filled up to a whole word. */
function rows(width: number, height: number, bytes: number, shift = 0): Buffer {
  const stride = Math.ceil((width * bytes) / 4) * 4
  const data = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++)
    for (let i = 0; i < width * bytes; i++)
      data[y * stride + i] = level(Math.floor(i / bytes) + shift, y, i % bytes)
  return data
}

interface Shape {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly compression?: number
  readonly bytes?: number
}

function header({ width, height, bits, compression = 0, bytes = 40 }: Shape, imageSize: number): Buffer {
  const info = Buffer.alloc(bytes)
  info.writeUInt32LE(bytes)
  if (bytes === 12) {
    for (const [i, value] of [width, height, 1, bits].entries()) info.writeUInt16LE(value, 4 + i * 2)
    return info
  }
  info.writeInt32LE(width, 4)
  info.writeInt32LE(height, 8)
  info.writeUInt16LE(1, 12)
  info.writeUInt16LE(bits, 14)
  info.writeUInt32LE(compression, 16)
  info.writeUInt32LE(imageSize, 20)
  info.writeUInt32LE(2835, 24)
  info.writeUInt32LE(2835, 28)
  return info
}

function file(info: Buffer, palette: Uint8Array, pixels: Uint8Array): Buffer {
  const front = Buffer.alloc(FILE_HEADER)
  const offset = FILE_HEADER + info.length + palette.length
  front.write('BM', 'latin1')
  front.writeUInt32LE(offset + pixels.length, 2)
  front.writeUInt32LE(offset, 10)
  return Buffer.concat([front, info, palette, pixels])
}

function palette(colours: number, bytes: number): Uint8Array {
  const step = 255 / (colours - 1)
  return Uint8Array.from({ length: colours * bytes }, (_, i) => {
    const shade = Math.floor(Math.floor(i / bytes) * step)
    return [shade, Math.floor(shade * 0.8), 255 - shade, 0][i % bytes] ?? 0
  })
}

function colours(shift: number): Buffer {
  const pixels = rows(61, 48, 3, shift)
  return file(header({ width: 61, height: 48, bits: 24 }, pixels.length), Buffer.alloc(0), pixels)
}

function masked(): Buffer {
  const pixels = rows(40, 40, 4)
  const info = header({ width: 40, height: -40, bits: 32, compression: 3, bytes: 124 }, pixels.length)
  for (const [i, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) info.writeUInt32LE(mask, 40 + i * 4)
  info.writeUInt32LE(0x73524742, 56)
  return file(info, Buffer.alloc(0), pixels)
}

function indexed(shift: number): Buffer {
  const pixels = rows(90, 70, 1, shift)
  return file(header({ width: 90, height: 70, bits: 8 }, pixels.length), palette(256, 4), pixels)
}

/** Levels of eight shades as runs, ends of rows and the end of the bitmap. */
function runLengths(shift: number): Buffer {
  const [width, height] = [90, 70]
  const codes: number[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      const shade = level(x + shift, y, 0) & 0xe0
      let end = x + 1
      while (end < width && (level(end + shift, y, 0) & 0xe0) === shade) end++
      codes.push(end - x, shade)
      x = end
    }
    codes.push(0, y === height - 1 ? 1 : 0)
  }
  const pixels = Uint8Array.from(codes)
  const info = header({ width, height, bits: 8, compression: 1 }, pixels.length)
  return file(info, palette(256, 4), pixels)
}

const os2 = file(header({ width: 80, height: 60, bits: 8, bytes: 12 }, 0), palette(256, 3), rows(80, 60, 1))
const bilevel = file(header({ width: 256, height: 128, bits: 1 }, 32 * 128), palette(2, 4), rows(32, 128, 1))

mkdirSync(FOLDER, { recursive: true })
const files = {
  ...{ colours: colours(0), 'colours.sample': colours(30), masked: masked(), os2, bilevel },
  ...{ indexed: indexed(0), 'indexed.sample': indexed(40), 'run-lengths': runLengths(0) },
}
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(FOLDER, `${name}.bmp`), bytes)
