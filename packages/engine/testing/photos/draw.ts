import { randomFrom } from '../hostile-sources.ts'

/** A drawn picture: levels of red, green and blue, row by row. */
export interface DrawnPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const CHANNELS = 3
const DISCS = 24

/**
 * Draws a scene with what photos have: a slope of light, edges in all directions, texture that differs from place to place and
 * some noise. The same `seed` draws the same scene at any size.
 */
export function drawPicture(width: number, height: number, seed: number): DrawnPicture {
  const random = randomFrom(seed)
  const discs = Array.from({ length: DISCS }, () => ({
    x: random(),
    y: random(),
    radius: 0.04 + 0.16 * random(),
    levels: [random(), random(), random()].map((level) => 40 + 175 * level),
    grain: 30 * random(),
    pitch: 3 + 20 * random(),
  }))
  const pixels = new Uint8Array(width * height * CHANNELS)
  const longer = Math.max(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = x / longer
      const v = y / longer
      let levels = [120 + 90 * (1 - v) - 40 * u, 130 + 70 * (1 - v), 150 + 80 * (1 - v) + 20 * u]
      let grain = 4
      let pitch = 9
      for (const disc of discs) {
        if ((u - disc.x * (width / longer)) ** 2 + (v - disc.y * (height / longer)) ** 2 > disc.radius ** 2)
          continue
        levels = disc.levels.map((level) => level + 120 * (u - disc.x))
        grain = disc.grain
        pitch = disc.pitch
      }
      const texture = grain * Math.sin(x / pitch + Math.sin(y / (pitch + 2)) * 2) + 6 * (random() - 0.5)
      for (let channel = 0; channel < CHANNELS; channel++) {
        pixels[(y * width + x) * CHANNELS + channel] = Math.max(
          0,
          Math.min(255, Math.round(levels[channel] + texture)),
        )
      }
    }
  }
  return { width, height, pixels }
}
