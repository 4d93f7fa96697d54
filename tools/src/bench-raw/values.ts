import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import make from 'libraw-wasm/dist/libraw.js'
import sharp from 'sharp'

/** What a decoder makes of a photo: values in rows. */
export interface Values {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint16Array
}

const WASM = readFileSync(createRequire(import.meta.url).resolve('libraw-wasm/dist/libraw.wasm'))
const silent = (): void => {
  // what the module writes of damaged files is no result
}

/** The sensor's values as LibRaw unpacks them; undefined where it refuses. */
export async function rawValues(photo: Uint8Array): Promise<Values | undefined> {
  const { LibRaw } = await make({ wasmBinary: WASM, print: silent, printErr: silent })
  try {
    const raw = new LibRaw()
    raw.open(Uint8Array.from(photo), {})
    const picture = raw.rawImageData()
    if (!picture) return undefined
    const { width, height, data } = picture
    return {
      width,
      height,
      data:
        data instanceof Uint16Array ? Uint16Array.from(data) : new Uint16Array(Uint8Array.from(data).buffer),
    }
  } catch {
    // the module throws numbers and objects of its own for what it cannot read: a refusal is its result
    return undefined
  }
}

/** The pixels as libvips shows them; undefined where it refuses. */
export async function shownPixels(photo: Uint8Array): Promise<Values | undefined> {
  try {
    const image = sharp(photo, { failOn: 'none', unlimited: true, limitInputPixels: false })
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, data }
  } catch {
    // a refusal is the library's result, and scored as nothing right
    return undefined
  }
}

/**
 * The part of surviving values that a result has: those that survive are the ones that `damaged`, the photo with its structures
 * as they were and only its pixels hit, still shows as the original does.
 */
export function survivingShare(
  original: Values,
  damaged: Values | undefined,
  result: Values | undefined,
): number {
  const same = result?.width === original.width && result.height === original.height
  const comparable = damaged?.width === original.width && damaged.height === original.height
  let [counted, right] = [0, 0]
  for (let i = 0; i < original.data.length; i++) {
    if (comparable && damaged.data[i] !== original.data[i]) continue
    counted++
    if (same && result.data[i] === original.data[i]) right++
  }
  return counted === 0 ? 1 : right / counted
}

/**
 * The part of values that a result has of those behind the first that `broken` does not show as the original does: of a code in
 * one chain whose front is lost, no decoder shows what survives, but all that the front does not make does.
 */
export function shareBehind(
  original: Values,
  broken: Values | undefined,
  result: Values | undefined,
): number {
  const first = broken ? original.data.findIndex((value, i) => broken.data[i] !== value) : 0
  const same = result?.width === original.width && result.height === original.height
  if (first < 0) return 1
  let right = 0
  for (let i = first; i < original.data.length; i++) if (same && result.data[i] === original.data[i]) right++
  return right / (original.data.length - first)
}
