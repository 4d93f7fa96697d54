import { length2, length3 } from '../paint/length.ts'
import { fbm2, hash, mix, smoothstep } from '../paint/noise.ts'
import { blend, bowl, rod, sphere } from '../paint/shapes.ts'
import type { Scene } from '../paint/tracer.ts'

const BOWL = [-0.62, 1.16, -0.1] as const
const RADIUS = 1.04
const RIM = 0.3

/** Pears: place, lean, size. */
const PEARS = [
  { x: 1.02, z: 0.18, lean: 0.1, turn: 0.4, size: 1 },
  { x: 1.78, z: -0.42, lean: -0.24, turn: 2.2, size: 0.9 },
] as const

function pear(x: number, y: number, z: number, place: (typeof PEARS)[number]): number {
  const s = place.size
  const py = y / s
  const px = (x - place.x) / s - place.lean * Math.cos(place.turn) * py * 0.6
  const pz = (z - place.z) / s - place.lean * Math.sin(place.turn) * py * 0.6
  const q = length2(px, pz)
  if (q > 1.2 || py > 2.2) return (length2(q, py - 0.7) - 0.95) * s * 0.8
  const body = length2(q, (py - 0.5) * 1.04) - 0.5
  const neck = length2(q, py - 1.08) - 0.22
  const dimple = length2(q, py - 1.36) - 0.06
  const fruit = Math.max(blend(body, neck, 0.5), -dimple)
  return fruit * s * 0.8
}

function stems(x: number, y: number, z: number): number {
  let d = 1e9
  for (const { x: px, z: pz, lean, turn, size } of PEARS) {
    const cx = px + lean * Math.cos(turn) * 0.78 * size
    const cz = pz + lean * Math.sin(turn) * 0.78 * size
    d = Math.min(d, rod(x, y, z, [cx, 1.26 * size, cz], [cx + lean * 0.7, 1.56 * size, cz + 0.04], 0.028))
  }
  return d
}

function vessel(x: number, y: number, z: number): number {
  const px = x - BOWL[0]
  const py = y - BOWL[1]
  const pz = z - BOWL[2]
  const shell = bowl(px, py, pz, RADIUS, RIM, 0.035)
  const q = length2(px, pz)
  const foot = Math.max(Math.abs(q - 0.46) - 0.05, Math.abs(y - 0.09) - 0.09)
  return Math.min(shell, foot)
}

/** Half the width of the joint that a point of the bowl lies on: positive inside the gold. */
function seam(x: number, y: number, z: number): number {
  const angle = Math.atan2(z - BOWL[2], x - BOWL[0])
  const height = y - BOWL[1] + RADIUS
  let best = -1
  for (let crack = 0; crack < 5; crack++) {
    const cell = Math.floor(height * 3.4)
    const t = height * 3.4 - cell
    const a = hash(cell, crack, 7) - 0.5
    const b = hash(cell + 1, crack, 7) - 0.5
    const at = -Math.PI + (crack + 0.32) * ((2 * Math.PI) / 5) + mix(a, b, t) * 0.62
    let away = Math.abs(angle - at)
    away = Math.min(away, 2 * Math.PI - away) * Math.max(0.25, length2(x - BOWL[0], z - BOWL[2]))
    best = Math.max(best, 0.022 - away)
  }
  const level = 0.98 + 0.16 * Math.sin(angle * 3 + 1) + 0.1 * (hash(Math.floor(angle * 2.2), 3) - 0.5)
  return angle > 0.2 && angle < 1.9 ? Math.max(best, 0.02 - Math.abs(height - level)) : best
}

const LEMONS = [
  [-0.92, 1.36, -0.28],
  [-0.22, 1.4, -0.34],
  [-0.58, 1.42, 0.24],
] as const

function lemons(x: number, y: number, z: number): number {
  let d = 1e9
  for (const [cx, cy, cz] of LEMONS) {
    const q = length3((x - cx) * 0.82, y - cy, z - cz)
    d = Math.min(d, (q - 0.36) * 0.9)
  }
  return d
}

/** Still life by a window: a mended bowl with lemons, two pears, linen. */
export const bowlScene: Scene = {
  eye: [0.45, 2.5, 6.4],
  target: [0.3, 0.86, 0],
  spread: 0.268,
  aperture: 0.045,
  far: 24,
  sun: { direction: [-0.72, 0.62, 0.42], colour: [4.4, 3.9, 3.2], radius: 0.2 },
  bounces: 4,
  distance: (x, y, z) => {
    const folds =
      0.035 *
      Math.sin(x * 1.1 + z * 0.7) *
      Math.sin(z * 0.9 - x * 0.3) *
      smoothstep(1.4, 3.2, length2(x - 0.4, z))
    const table = y - folds
    const wall = z + 3.4
    let d = Math.min(table, wall)
    const near = sphere(x - 0.4, y - 0.8, z, 2.3)
    if (near > 0.4) return Math.min(d, near)
    d = Math.min(d, vessel(x, y, z), lemons(x, y, z), stems(x, y, z))
    for (const place of PEARS) d = Math.min(d, pear(x, y, z, place))
    return d
  },
  surface: (x, y, z, normal, out) => {
    const cup = vessel(x, y, z)
    const fruit = Math.min(pear(x, y, z, PEARS[0]), pear(x, y, z, PEARS[1]))
    const sour = lemons(x, y, z)
    const stalk = stems(x, y, z)
    const least = Math.min(cup, fruit, sour, stalk)
    if (least > 0.01) {
      if (z < -3.35) {
        const plaster = 0.12 + 0.07 * fbm2(x * 0.9, y * 0.9, 5, 3)
        out.r = plaster * 0.9
        out.g = plaster * 0.98
        out.b = plaster * 1.02
        return
      }
      const weave = 0.5 + 0.25 * Math.sin(x * 150) + 0.25 * Math.sin(z * 150)
      const stripe = smoothstep(0.03, 0.05, Math.abs(((z + 0.3 * x + 6) % 1.6) - 0.8))
      const tone = mix(0.52, 0.62, weave) * mix(0.86, 1, fbm2(x * 3, z * 3, 4, 9))
      out.r = mix(tone * 0.42, tone, stripe)
      out.g = mix(tone * 0.55, tone * 0.97, stripe)
      out.b = mix(tone * 0.72, tone * 0.9, stripe)
      return
    }
    if (least === stalk) {
      out.r = 0.12
      out.g = 0.08
      out.b = 0.04
      return
    }
    if (least === sour) {
      const pit = fbm2(x * 26 + y * 9, z * 26 - y * 7, 2, 4) - 0.5
      normal[0] += pit * 0.3
      normal[2] += pit * 0.3
      out.r = 0.86
      out.g = 0.62
      out.b = 0.05
      out.gloss = 0.035
      out.roughness = 0.35
      return
    }
    if (least === fruit) {
      const blush = smoothstep(0.42, 0.72, fbm2(x * 1.6 + 3, y * 1.4 + z, 4, 21))
      const freckle = smoothstep(0.68, 0.74, fbm2(x * 24 + z * 17, y * 24, 2, 31))
      out.r = mix(0.56, 0.62, blush) * mix(1, 0.6, freckle)
      out.g = mix(0.56, 0.26, blush) * mix(1, 0.5, freckle)
      out.b = mix(0.12, 0.07, blush) * mix(1, 0.4, freckle)
      out.gloss = 0.03
      out.roughness = 0.3
      return
    }
    if (y > 0.2 && seam(x, y, z) > 0) {
      out.r = 0.95
      out.g = 0.66
      out.b = 0.2
      out.metal = true
      out.roughness = 0.28
      return
    }
    const glaze = 0.78 * mix(0.94, 1, fbm2(x * 5, y * 5 + z * 4, 4, 17))
    out.r = glaze
    out.g = glaze * 1.0
    out.b = glaze * 0.97
    out.gloss = 0.05
    out.roughness = 0.04
  },
  sky: (x, y, z, out) => {
    const room = 0.16 + 0.12 * Math.max(0, y)
    const u = z / Math.max(0.001, -x)
    const v = y / Math.max(0.001, -x)
    const pane =
      x < -0.2 &&
      u > 0 &&
      u < 1.1 &&
      v > 0.35 &&
      v < 1.5 &&
      Math.abs(u - 0.55) > 0.03 &&
      Math.abs(v - 0.92) > 0.03
    out[0] = room * 0.95 + (pane ? 3.4 : 0)
    out[1] = room + (pane ? 3.5 : 0)
    out[2] = room * 1.12 + (pane ? 3.7 : 0)
  },
}
