import type { LightField } from './picture.ts'
import { Random } from './random.ts'
import type { Colour } from './tracer.ts'

/** Light at a point of a picture: u to the right over the height's unit, from the middle; v upwards. */
export type Shader = (u: number, v: number, random: Random, out: Colour) => void

/** Paints a picture point by point, `samples` of them a pixel. u spans the aspect ratio, v spans 1, both about 0. */
export function paintShader(shader: Shader, width: number, height: number, samples: number): LightField {
  const light = new Float32Array(width * height * 3)
  const sum: Colour = [0, 0, 0]
  const one: Colour = [0, 0, 0]
  for (let py = 0; py < height; py++) {
    for (let px = 0; px < width; px++) {
      const random = new Random(py * width + px + 1)
      sum.fill(0)
      for (let s = 0; s < samples; s++) {
        const u = (px + random.next() - width / 2) / height
        const v = 0.5 - (py + random.next()) / height
        shader(u, v, random, one)
        sum[0] += one[0]
        sum[1] += one[1]
        sum[2] += one[2]
      }
      const i = (py * width + px) * 3
      light[i] = sum[0] / samples
      light[i + 1] = sum[1] / samples
      light[i + 2] = sum[2] / samples
    }
  }
  return { width, height, light }
}
