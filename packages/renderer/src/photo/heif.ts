import { readFileSync } from 'node:fs'
import libheif from 'libheif-js/wasm-bundle.js'
import { RendererError } from '../errors.ts'
import { MOST_PIXELS, type Pixels } from './pixels.ts'

/** Decodes the primary picture of a HEIF file. @throws RendererError `input` */
export async function decodeHeif(path: string): Promise<Pixels> {
  const images = new libheif.HeifDecoder().decode(readFileSync(path))
  const image = images.find((each) => each.is_primary()) ?? images[0]
  if (!image) throw new RendererError('input', 'the file holds no picture that can be decoded')
  const width = image.get_width()
  const height = image.get_height()
  if (width * height > MOST_PIXELS)
    throw new RendererError('memory', `a picture of ${width}x${height} pixels`)
  const data = new Uint8ClampedArray(width * height * 4)
  const shown = await new Promise((resolve) => {
    image.display({ data, width, height }, resolve)
  })
  if (!shown) throw new RendererError('input', 'the picture cannot be decoded')
  return { width, height, channels: 4, data: new Uint8Array(data.buffer) }
}
