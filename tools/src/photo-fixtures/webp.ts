import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp, type WebpOptions } from 'sharp'
import { fbm2 } from '../pictures/paint/noise.ts'

/**
 * `node tools/src/photo-fixtures/webp.ts`: makes the contract suite's WebP files anew, the same with the same encoder: lossy and
 * lossless stills, one of few colours, one with transparency and metadata, and an animation.
 */
const FOLDER = fileURLToPath(new URL('../../../packages/engine/testing/fixtures/webp', import.meta.url))
const WIDTH = 120
const HEIGHT = 88

function picture(width: number, height: number, channels: 3 | 4, shift = 0, levels = 256): Sharp {
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels)
    const channel = i % channels
    const value = fbm2(((pixel % width) + shift) / 16, Math.floor(pixel / width) / 16, 4, channel * 7)
    return Math.min(255, Math.floor(Math.floor(value * levels) * (256 / levels)))
  })
  return sharp(pixels, { raw: { width, height, channels } })
}

const still = (shift: number, options: WebpOptions, levels?: number): Promise<Buffer> =>
  picture(WIDTH, HEIGHT, 3, shift, levels).webp(options).toBuffer()

async function animation(shift: number): Promise<Buffer> {
  const frames = [0, 1, 2, 3].map((i) =>
    picture(64, 48, 3, shift + 5 * i)
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ quality: 70, delay: [80, 90, 100, 110], loop: 0 })
    .toBuffer()
}

const files: Readonly<Record<string, Buffer>> = {
  lossy: await still(0, { quality: 85 }),
  'lossy.sample': await still(300, { quality: 85 }),
  lossless: await still(40, { lossless: true }, 32),
  'lossless.sample': await still(340, { lossless: true }, 32),
  'few-colours': await still(80, { lossless: true }, 3),
  transparent: await picture(WIDTH, HEIGHT, 4, 120)
    .withExif({ IFD0: { ImageDescription: 'A drawn landscape' } })
    .webp({ quality: 80, alphaQuality: 60 })
    .toBuffer(),
  animation: await animation(0),
  'animation.sample': await animation(200),
}
mkdirSync(FOLDER, { recursive: true })
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(FOLDER, `${name}.webp`), bytes)
