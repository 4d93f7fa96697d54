import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/tiff.ts`: makes the contract suite's TIFF files anew, the same every time: strips and tiles, unpacked and packed.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/tiff', import.meta.url))
const WIDTH = 96
const HEIGHT = 64

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
  await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .tiff(options)
    .toFile(join(FOLDER, `${name}.tif`))
}
