import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/tiff.ts`: makes the contract suite's TIFF files anew, the same every time: strips and tiles,
 * unpacked and packed.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/tiff', import.meta.url))
const WIDTH = 96
const HEIGHT = 64
/** Room for the directory in front of the pixels. */
const FRONT = 2048
/** Bytes of a value by its type, TIFF 6.0 §2. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
for (let y = 0; y < HEIGHT; y++)
  for (let x = 0; x < WIDTH; x++)
    for (let c = 0; c < 3; c++)
      pixels[(y * WIDTH + x) * 3 + c] = Math.floor(255 * fbm2(x / 16, y / 16, 4, c * 7))

mkdirSync(FOLDER, { recursive: true })
for (const [name, options] of Object.entries({
  strips: { compression: 'none' },
  lzw: { compression: 'lzw', predictor: 'horizontal' },
  'deflate-tiles': { compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 },
} as const)) {
  const bytes = await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .tiff(options)
    .toBuffer()
  writeFileSync(join(FOLDER, `${name}.tif`), directoryFirst(Uint8Array.from(bytes)))
}

/** The same picture with its directory in front of the pixels, as cameras write it. */
function directoryFirst(bytes: Uint8Array): Uint8Array {
  const before = new DataView(bytes.buffer)
  const little = bytes[0] === 0x49
  const ifd = before.getUint32(4, little)
  const count = before.getUint16(ifd, little)
  const end = ifd + 2 + count * 12 + 4
  const result = new Uint8Array(FRONT + bytes.length)
  const view = new DataView(result.buffer)
  result.set(bytes.subarray(0, 4))
  view.setUint32(4, 8, little)
  result.set(bytes.subarray(ifd, end), 8)
  let free = 8 + end - ifd
  const fields = new Map<number, { at: number; count: number; type: number }>()
  for (let i = 0; i < count; i++) {
    const field = 8 + 2 + i * 12
    const type = view.getUint16(field + 2, little)
    const values = view.getUint32(field + 4, little)
    const size = values * (TYPE_BYTES[type] ?? 1)
    fields.set(view.getUint16(field, little), { at: size <= 4 ? field + 8 : free, count: values, type })
    if (size <= 4) continue
    const from = view.getUint32(field + 8, little)
    result.set(bytes.subarray(from, from + size), free)
    view.setUint32(field + 8, free, little)
    free += size + (size % 2)
  }
  const offsets = fields.get(273) ?? fields.get(324)
  const lengths = fields.get(279) ?? fields.get(325)
  if (!offsets || !lengths) throw new Error('no pixels')
  let at = FRONT
  for (let i = 0; i < offsets.count; i++) {
    const place = offsets.at + i * 4
    const wide = lengths.type === 4
    const length = wide
      ? view.getUint32(lengths.at + i * 4, little)
      : view.getUint16(lengths.at + i * 2, little)
    const from = view.getUint32(place, little)
    result.set(bytes.subarray(from, from + length), at)
    view.setUint32(place, at, little)
    at += length
  }
  return result.slice(0, at)
}
