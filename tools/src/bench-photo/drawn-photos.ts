import {
  type DrawnPicture,
  drawPicture,
  type PhotoSettings,
  randomFrom,
  writePhoto,
} from '@mendframe/engine/testing'

export interface Photo {
  readonly name: string
  readonly bytes: Uint8Array
}

const WIDTH = 1280
const HEIGHT = 960
const CHANNELS = 3
/** By how much the thumbnail is smaller: cameras store 160 by 120 pixels (DCF 2.0). */
const SMALLER = 8
const THUMBNAIL: PhotoSettings = { sampling: [2, 1], quality: 75, interval: 0 }
/** Noise of a sensor, as the variance of its levels: when it is dark, and for each level of light. */
const DARK_NOISE = 4
const LIGHT_NOISE = 0.12
/** Weights of neighbours on both sides: what lenses and filling in colours between those of the sensor's filters do. */
const ASIDE = 0.25

const CAMERAS = [
  { name: '420', sampling: [2, 2], quality: 90, interval: 0 },
  { name: '422', sampling: [2, 1], quality: 95, interval: 0 },
  {
    name: '420-own-tables',
    sampling: [2, 2],
    quality: 90,
    interval: 0,
    quantisation: [ownTable(0.9), ownTable(1.3)],
  },
  { name: '444', sampling: [1, 1], quality: 85, interval: 0 },
  { name: '444-restart', sampling: [1, 1], quality: 92, interval: 4 },
  { name: '422-restart-rows', sampling: [2, 1], quality: 92, interval: WIDTH / 16 },
] as const

/**
 * Drawn photos with what those of cameras have: the samplings and tables they use, with and without restart markers, a sensor's
 * noise, and a thumbnail that shows the photo. Those of `-bare` have been through a program that left the thumbnail out.
 */
export function* drawnPhotos(): Generator<Photo> {
  for (const [index, { name, ...settings }] of CAMERAS.entries()) {
    const scene = exposed(drawPicture(WIDTH, HEIGHT, index), index)
    const thumbnail = writePhoto(shrunk(scene, SMALLER), THUMBNAIL)
    yield { name, bytes: writePhoto(scene, { ...settings, thumbnail, orientation: 1 }) }
    if (settings.interval === 0) yield { name: `${name}-bare`, bytes: writePhoto(scene, settings) }
  }
}

/**
 * A table whose steps grow evenly with frequency, as in cameras whose tables are not multiples of the standard's; in zigzag
 * order.
 */
function ownTable(growth: number): Uint16Array {
  const table = new Uint16Array(64)
  let at = 0
  for (let diagonal = 0; diagonal < 15; diagonal++)
    for (let i = Math.max(0, diagonal - 7); i <= Math.min(7, diagonal); i++)
      table[at++] = 2 + Math.round(growth * diagonal)
  return table
}

/** A picture as a sensor sees it: noise of its own in each channel, a little blurred. */
export function exposed({ width, height, pixels }: DrawnPicture, seed: number): DrawnPicture {
  const random = randomFrom(seed)
  /** About normal, of variance 1. */
  const normal = (): number => (random() + random() + random() + random() - 2) * Math.sqrt(3)
  const noisy = new Float32Array(pixels.length)
  for (let at = 0; at < pixels.length; at++)
    noisy[at] = pixels[at] + normal() * Math.sqrt(DARK_NOISE + LIGHT_NOISE * pixels[at])
  const row = width * CHANNELS
  const seen = blurred(blurred(noisy, row, CHANNELS), height * row, row)
  return { width, height, pixels: new Uint8Array(Uint8ClampedArray.from(seen)) }
}

/** Values mixed with those `step` in front and behind within each `line`; its ends with themselves. */
function blurred(values: Float32Array, line: number, step: number): Float32Array {
  return values.map((value, at) => {
    const inLine = at % line
    const before = inLine >= step ? values[at - step] : value
    const behind = inLine + step < line ? values[at + step] : value
    return (1 - 2 * ASIDE) * value + ASIDE * (before + behind)
  })
}

/** A picture so many times smaller: means of squares of its pixels. */
export function shrunk(picture: DrawnPicture, times: number): DrawnPicture {
  const width = Math.floor(picture.width / times)
  const height = Math.floor(picture.height / times)
  const pixels = new Uint8Array(width * height * CHANNELS)
  for (let at = 0; at < pixels.length; at++) {
    const x = Math.floor(at / CHANNELS) % width
    const y = Math.floor(at / CHANNELS / width)
    let sum = 0
    for (let square = 0; square < times * times; square++) {
      const column = x * times + (square % times)
      const row = y * times + Math.floor(square / times)
      sum += picture.pixels[(row * picture.width + column) * CHANNELS + (at % CHANNELS)]
    }
    pixels[at] = Math.round(sum / (times * times))
  }
  return { width, height, pixels }
}
