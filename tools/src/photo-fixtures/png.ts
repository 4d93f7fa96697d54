import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/png.ts`: makes the contract suite's PNG files anew, the same every time: colours with text
 * beside them in several chunks, a palette, an interlaced picture of 16 bits with alpha, and an animation.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/png', import.meta.url))
const WIDTH = 72
const HEIGHT = 54
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Bytes of a chunk of image data, as encoders that do not know how much is to come write them. */
const DATA_BYTES = 2048

function level(x: number, y: number, channel: number): number {
  return Math.min(255, Math.floor(255 * fbm2(x / 20, y / 20, 3, channel * 7)))
}

function picture(width: number, height: number, channels: number, shift = 0): Uint8Array {
  return Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels)
    return level((pixel % width) + shift, Math.floor(pixel / width), i % channels)
  })
}

function chunk(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(data))
  return Buffer.concat([head, data, sum])
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4)
  return bytes
}

function header(width: number, height: number, depth: number, colour: number): Buffer {
  return chunk('IHDR', numbers(width, height), Uint8Array.of(depth, colour, 0, 0, 0))
}

/** Rows of a filter type each in turn, deflated. */
function deflated(pixels: Uint8Array, stride: number, step: number): Buffer {
  const rows = pixels.length / stride
  const plain = Buffer.alloc(pixels.length + rows)
  for (let y = 0; y < rows; y++) {
    const filter = y % 3
    plain[y * (stride + 1)] = filter
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i
      const predicted =
        filter === 1
          ? i < step
            ? 0
            : (pixels[at - step] ?? 0)
          : filter === 2
            ? (pixels[at - stride] ?? 0)
            : 0
      plain[y * (stride + 1) + 1 + i] = (pixels[at] ?? 0) - predicted
    }
  }
  return deflateSync(plain, { level: 9 })
}

function pieces(type: string, data: Uint8Array): Buffer {
  const parts = Array.from({ length: Math.ceil(data.length / DATA_BYTES) }, (_, i) =>
    chunk(type, data.subarray(i * DATA_BYTES, (i + 1) * DATA_BYTES)),
  )
  return Buffer.concat(parts)
}

const colours = Buffer.concat([
  SIGNATURE,
  header(WIDTH, HEIGHT, 8, 2),
  chunk('gAMA', numbers(45_455)),
  chunk('tEXt', Buffer.from('Title\0A drawn landscape', 'latin1')),
  pieces('IDAT', deflated(picture(WIDTH, HEIGHT, 3), WIDTH * 3, 3)),
  chunk('tEXt', Buffer.from('Comment\0Drawn by a script', 'latin1')),
  chunk('IEND'),
])

const SHADES = 16
const palette = Uint8Array.from(Array.from({ length: SHADES }, (_, i) => [i * 17, i * 13, i * 9]).flat())
const indices = picture(WIDTH, HEIGHT, 1)
const packed = Uint8Array.from(
  { length: indices.length / 2 },
  (_, i) => ((indices[2 * i] ?? 0) & 0xf0) | ((indices[2 * i + 1] ?? 0) >> 4),
)
const coloured = Buffer.concat([
  SIGNATURE,
  header(WIDTH, HEIGHT, 4, 3),
  chunk('PLTE', palette),
  pieces('IDAT', deflated(packed, WIDTH / 2, 1)),
  chunk('IEND'),
])

const SMALL = 24
const FRAMES = 3
const frames = Array.from({ length: FRAMES }, (_, i) =>
  deflated(picture(SMALL, SMALL, 4, i * 5), SMALL * 4, 4),
)
const control = (sequence: number): Buffer =>
  chunk('fcTL', numbers(sequence, SMALL, SMALL, 0, 0), Uint8Array.of(0, 1, 0, 10, 0, 0))
const animation = Buffer.concat([
  SIGNATURE,
  header(SMALL, SMALL, 8, 6),
  chunk('acTL', numbers(FRAMES, 0)),
  ...frames.flatMap((data, i) => [
    control(i === 0 ? 0 : 2 * i - 1),
    i === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers(2 * i), data),
  ]),
  chunk('IEND'),
])

const interlaced = await sharp(picture(41, 33, 4), { raw: { width: 41, height: 33, channels: 4 } })
  .toColourspace('rgb16')
  .png({ progressive: true, adaptiveFiltering: true })
  .toBuffer()

mkdirSync(FOLDER, { recursive: true })
for (const [name, bytes] of Object.entries({ colours, palette: coloured, animation, interlaced }))
  writeFileSync(join(FOLDER, `${name}.png`), bytes)
