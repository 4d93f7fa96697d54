/** A value in [0, 1) for a lattice point. */
export function hash(x: number, y: number, z = 0): number {
  let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(z, 2147483647 - 58)) | 0
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  h ^= h >>> 16
  h = Math.imul(h, 0x45d9f3b)
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296
}

const smooth = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10)

/** Smooth noise in [0, 1) over the plane. */
export function noise2(x: number, y: number, seed = 0): number {
  const ix = Math.floor(x)
  const iy = Math.floor(y)
  const u = smooth(x - ix)
  const v = smooth(y - iy)
  const a = hash(ix, iy, seed)
  const b = hash(ix + 1, iy, seed)
  const c = hash(ix, iy + 1, seed)
  const d = hash(ix + 1, iy + 1, seed)
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v
}

/** Sum of octaves of `noise2`, in [0, 1). */
export function fbm2(x: number, y: number, octaves: number, seed = 0): number {
  let sum = 0
  let weight = 0.5
  let px = x
  let py = y
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise2(px, py, seed + i)
    weight *= 0.5
    const rx = 1.6 * px - 1.2 * py
    py = 1.2 * px + 1.6 * py
    px = rx
  }
  return sum / (1 - 0.5 ** octaves)
}

/** 0 below `from`, 1 above `to`, smooth between. */
export function smoothstep(from: number, to: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t
