import { forwardDct, UNQUANTISED } from '../../src/codecs/jpeg/dct.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { randomFrom } from '../hostile-sources.ts'

/** Waves of a picture: how many, their lengths in samples, and how far samples of each go up and down. */
export interface Waves {
  readonly count: number
  readonly shortest: number
  readonly longest: number
  readonly height: number
}

/** Coefficients, not quantised, of a grey picture of waves that are as high everywhere. */
export function waves(
  layout: McuLayout,
  seed: number,
  { count, shortest, longest, height }: Waves,
): Int16Array {
  const random = randomFrom(seed)
  const parts = Array.from({ length: count }, () => {
    const turn = 2 * Math.PI * random()
    const pace = (2 * Math.PI) / (shortest + (longest - shortest) * random())
    return { x: pace * Math.cos(turn), y: pace * Math.sin(turn), from: 7 * random() }
  })
  const coefficients = new Int16Array(layout.mcuCount * BLOCK_COEFFICIENTS)
  const samples = new Float32Array(BLOCK_COEFFICIENTS)
  for (let block = 0; block < layout.mcuCount; block++) {
    const left = 8 * (block % layout.mcuWide)
    const top = 8 * Math.floor(block / layout.mcuWide)
    for (let i = 0; i < samples.length; i++) {
      const [x, y] = [left + (i % 8), top + Math.floor(i / 8)]
      samples[i] = parts.reduce(
        (sum, part) => sum + height * Math.sin(part.x * x + part.y * y + part.from),
        0,
      )
    }
    forwardDct(samples, 0, UNQUANTISED, coefficients, block * BLOCK_COEFFICIENTS)
  }
  return coefficients
}
