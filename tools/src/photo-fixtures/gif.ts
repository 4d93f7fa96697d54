import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { continueGifLzw, inSubBlocks } from '@mendframe/engine/testing'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/gif.ts`: makes the contract suite's GIF files anew, the same every time: a still, an interlaced
 * one and an animation.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/gif', import.meta.url))
const CODE_SIZE = 6
const COLOURS = 64

function pixels(width: number, height: number, shift: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) =>
    Math.min(
      COLOURS - 1,
      Math.floor(COLOURS * fbm2(((i % width) + shift) / 20, Math.floor(i / width) / 20, 3, 7)),
    ),
  )
}

function u16(value: number): number[] {
  return [value & 0xff, value >> 8]
}

function head(width: number, height: number): Buffer {
  const table = Array.from({ length: COLOURS }, (_, i) => [i * 4, 255 - i * 3, (i * 29) & 0xff]).flat()
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Uint8Array.from([...u16(width), ...u16(height), 0xf5, 0, 0, ...table]),
  ])
}

/** Rows in the order of interlacing, or as they are. */
function image(width: number, height: number, shift: number, interlaced: boolean): Buffer {
  const plain = pixels(width, height, shift)
  const passes = interlaced
    ? [
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ]
    : [[0, 1]]
  const rows: Uint8Array[] = []
  for (const [first = 0, step = 1] of passes)
    for (let y = first; y < height; y += step) rows.push(plain.subarray(y * width, (y + 1) * width))
  const stream = continueGifLzw(
    new Uint8Array(0),
    { bits: 0, width: CODE_SIZE + 1 },
    CODE_SIZE,
    Buffer.concat(rows),
  )
  const descriptor = [0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), interlaced ? 0x40 : 0, CODE_SIZE]
  return Buffer.concat([Uint8Array.from(descriptor), inSubBlocks(stream)])
}

const loop = Buffer.concat([
  Uint8Array.of(0x21, 0xff, 11),
  Buffer.from('NETSCAPE2.0'),
  Uint8Array.of(3, 1, 0, 0, 0),
])
const comment = Buffer.concat([Uint8Array.of(0x21, 0xfe, 8), Buffer.from('A sketch'), Uint8Array.of(0)])
const control = Uint8Array.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0)
const end = Uint8Array.of(0x3b)

function animation(shift: number): Buffer {
  const frames = [0, 1, 2].flatMap((i) => [control, image(40, 32, shift + i * 3, false)])
  return Buffer.concat([head(40, 32), loop, comment, ...frames, end])
}

const files = {
  still: Buffer.concat([head(72, 54), image(72, 54, 0, false), end]),
  'still.sample': Buffer.concat([head(72, 54), image(72, 54, 90, false), end]),
  interlaced: Buffer.concat([head(61, 43), control, image(61, 43, 20, true), end]),
  animation: animation(0),
  'animation.sample': animation(50),
}
mkdirSync(FOLDER, { recursive: true })
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(FOLDER, `${name}.gif`), bytes)
