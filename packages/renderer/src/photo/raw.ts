import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import make from 'libraw-wasm/dist/libraw.js'
import { RendererError } from '../errors.ts'
import { MOST_PIXELS, type Pixels } from './pixels.ts'

const WASM = createRequire(import.meta.url).resolve('libraw-wasm/dist/libraw.wasm')

/** Develops a camera's raw photo at half its size, with the camera's own white balance. @throws RendererError `input` */
export async function decodeRaw(path: string): Promise<Pixels> {
  const { LibRaw } = await make({ wasmBinary: readFileSync(WASM) })
  try {
    const raw = new LibRaw()
    raw.open(readFileSync(path), { halfSize: true, useCameraWb: true, outputBps: 8 })
    const { width, height } = raw.metadata(false)
    if (width * height > MOST_PIXELS)
      throw new RendererError('memory', `a picture of ${width}x${height} pixels`)
    const picture = raw.imageData()
    if (picture?.colors !== 3 || picture.bits !== 8)
      throw new RendererError('input', 'the raw photo cannot be developed')
    return { width: picture.width, height: picture.height, channels: 3, data: Uint8Array.from(picture.data) }
  } catch (error) {
    if (error instanceof RendererError) throw error
    // the module throws numbers and objects of its own for what it cannot read
    throw new RendererError('input', 'LibRaw cannot read the file', { cause: error })
  }
}
