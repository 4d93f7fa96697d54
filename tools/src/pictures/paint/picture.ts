/** Linear light, three numbers a pixel, rows from the top. */
export interface LightField {
  readonly width: number
  readonly height: number
  readonly light: Float32Array
}

/** 8-bit sRGB with alpha, rows from the top. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray<ArrayBuffer>
}

/** A film-like curve: a soft toe, a long shoulder (fit of the ACES reference curve by K. Narkowicz). */
const curve = (x: number): number => (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
const encode = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)

/** Develops light to a picture: exposure, film curve, sRGB, a slight fall-off to the corners, a trace of grain. */
export function develop(field: LightField, exposure: number, grain = 0.012): Picture {
  const { width, height, light } = field
  const rgba = new Uint8ClampedArray(width * height * 4)
  let seed = 12345
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const u = (x / width - 0.5) * 1.1
      const v = (y / height - 0.5) * 0.9
      const gain = exposure * (1 - 0.42 * (u * u + v * v))
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0
      const speck = ((seed >>> 8) / 16777216 - 0.5) * grain
      for (let c = 0; c < 3; c++) {
        const value = curve(Math.max(0, light[i * 3 + c] ?? 0) * gain)
        rgba[i * 4 + c] = 255 * Math.min(1, Math.max(0, encode(value) + speck))
      }
      rgba[i * 4 + 3] = 255
    }
  }
  return { width, height, rgba }
}
