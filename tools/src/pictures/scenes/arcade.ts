import { length2, length3 } from '../paint/length.ts'
import { fbm2, hash, mix, noise2, smoothstep } from '../paint/noise.ts'
import { box } from '../paint/shapes.ts'
import type { Scene } from '../paint/tracer.ts'

const PITCH = 2.5
const OPENING = 0.86
const SPRING = 2.15

/** Distance from the mouth of the nearest arch, negative inside it, in the plane of the wall. */
function arch(x: number, y: number): number {
  const px = x - PITCH * Math.round(x / PITCH)
  if (y > SPRING) return length2(px, y - SPRING) - OPENING
  return Math.abs(px) - OPENING
}

function pots(x: number, y: number, z: number): number {
  let d = 1e9
  for (let i = -3; i <= 3; i++) {
    const px = x - (i + 0.5) * PITCH
    const pz = z - 0.92
    const q = length2(px, pz)
    if (q > 1.2) {
      d = Math.min(d, q - 0.9)
      continue
    }
    const pot = Math.max(q - mix(0.2, 0.33, Math.min(1, Math.max(0, y / 0.55))), Math.abs(y - 0.27) - 0.27)
    const lip = Math.max(q - 0.37, Math.abs(y - 0.52) - 0.05)
    d = Math.min(d, pot * 0.9, lip)
  }
  return d
}

function leaves(x: number, y: number, z: number): number {
  const i = Math.round(x / PITCH - 0.5)
  const px = x - (i + 0.5) * PITCH
  const pz = z - 0.92
  const size = 0.52 + 0.1 * hash(i, 5)
  const ball = length3(px, (y - 1.08) * 0.92, pz) - size
  if (ball > 0.12) return ball
  const grain = 0.13
  // The leaves' lattice is turned, or they would lie in rows.
  const u = 0.8 * x + 0.36 * y + 0.48 * z
  const v = -0.6 * x + 0.48 * y + 0.64 * z
  const w = -0.8 * y + 0.6 * z
  const gx = Math.round(u / grain)
  const gy = Math.round(v / grain)
  const gz = Math.round(w / grain)
  const cx = (gx + (hash(gx, gy, gz) - 0.5) * 0.7) * grain
  const cy = (gy + (hash(gy, gz, gx + 9) - 0.5) * 0.7) * grain
  const cz = (gz + (hash(gz, gx, gy + 5) - 0.5) * 0.7) * grain
  const leaf = length3(u - cx, v - cy, w - cz) - 0.052
  return Math.max(leaf * 0.45, ball)
}

function walls(x: number, y: number, z: number): number {
  const front = Math.max(box(x, y - 2.1, z, 30, 2.1, 0.28), -arch(x, y))
  const ledge = box(x, y - 4.25, z, 30, 0.12, 0.42)
  const upper = Math.max(
    box(x, y - 5.6, z + 0.12, 30, 1.5, 0.28),
    -box(x - PITCH * Math.round(x / PITCH), y - 5.5, z, 0.36, 0.62, 2),
  )
  const back = box(x, y - 3, z + 2.9, 30, 4, 0.2)
  const ceiling = box(x, y - 4.05, z + 1.6, 30, 0.15, 1.6)
  return Math.min(front, ledge, upper, back, ceiling)
}

/** A white arcade in the afternoon: deep shade, tiles, box trees in pots. */
export const arcadeScene: Scene = {
  eye: [6.9, 1.75, 6.2],
  target: [-0.6, 1.98, -0.4],
  spread: 0.44,
  aperture: 0,
  far: 60,
  sun: { direction: [0.62, 0.66, 0.75], colour: [3.9, 3.3, 2.5], radius: 0.012 },
  bounces: 3,
  distance: (x, y, z) => Math.min(y, walls(x, y, z), pots(x, y, z), leaves(x, y, z)),
  surface: (x, y, z, _normal, out) => {
    const wall = walls(x, y, z)
    const pot = pots(x, y, z)
    const leaf = leaves(x, y, z)
    const least = Math.min(y, wall, pot, leaf)
    if (least === leaf) {
      const tone = 0.5 + 0.7 * hash(Math.round(x / 0.13), Math.round(y / 0.13), Math.round(z / 0.13))
      out.r = 0.07 * tone
      out.g = 0.15 * tone
      out.b = 0.04 * tone
      return
    }
    if (least === pot) {
      const worn = mix(0.8, 1.1, fbm2(x * 6, y * 6 + z * 3, 4, 8))
      out.r = 0.52 * worn
      out.g = 0.23 * worn
      out.b = 0.13 * worn
      return
    }
    if (least === y) {
      const size = 0.62
      const u = (x + z) * Math.SQRT1_2
      const v = (x - z) * Math.SQRT1_2
      const iu = Math.floor(u / size)
      const iv = Math.floor(v / size)
      const joint = Math.min(
        Math.min(u / size - iu, 1 - (u / size - iu)),
        Math.min(v / size - iv, 1 - (v / size - iv)),
      )
      const dark = (iu + iv) % 2 === 0
      const tone = mix(0.86, 1.1, hash(iu, iv, 2)) * mix(0.85, 1.05, fbm2(x * 4, z * 4, 4, 5))
      const seam = smoothstep(0.01, 0.025, joint)
      out.r = mix(0.25, dark ? 0.33 : 0.58, seam) * tone
      out.g = mix(0.23, dark ? 0.2 : 0.5, seam) * tone
      out.b = mix(0.2, dark ? 0.14 : 0.38, seam) * tone
      return
    }
    if (z < -2.4) {
      const stain = mix(0.9, 1, fbm2(x, y, 5, 3))
      const base = smoothstep(1.05, 1.08, y + 0.02 * noise2(x * 3, 0))
      out.r = mix(0.16, 0.7, base) * stain
      out.g = mix(0.3, 0.55, base) * stain
      out.b = mix(0.42, 0.32, base) * stain
      return
    }
    const rain = smoothstep(0.35, 0.8, fbm2(x * 2.2, y * 0.35, 4, 14)) * smoothstep(2.4, 4.2, y) * 0.16
    const plaster = mix(0.9, 1, fbm2(x * 2.4, y * 2.4 + z, 5, 11)) - rain
    out.r = 0.8 * plaster
    out.g = 0.77 * plaster
    out.b = 0.7 * plaster
  },
  sky: (_x, y, _z, out) => {
    const t = Math.max(0, y) ** 0.55
    out[0] = mix(0.62, 0.13, t)
    out[1] = mix(0.78, 0.3, t)
    out[2] = mix(0.98, 0.72, t)
  },
}
