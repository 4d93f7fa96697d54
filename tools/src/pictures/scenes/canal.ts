import { length2, length3 } from '../paint/length.ts'
import { fbm2, hash, mix, noise2, smoothstep } from '../paint/noise.ts'
import { box } from '../paint/shapes.ts'
import type { Scene } from '../paint/tracer.ts'

const WIDTH = 1.72
const COLOURS = [
  [0.62, 0.16, 0.09],
  [0.72, 0.5, 0.14],
  [0.16, 0.3, 0.36],
  [0.66, 0.58, 0.46],
  [0.48, 0.2, 0.22],
  [0.24, 0.36, 0.22],
  [0.74, 0.34, 0.16],
  [0.5, 0.56, 0.6],
] as const

/** Houses to each side of the middle whose measures are kept; those beyond are out of sight and repeat. */
const REACH = 64
const MEASURES = Array.from({ length: 2 * REACH }, (_, index) => {
  const house = index - REACH
  const floors = 3 + (hash(house, 11) > 0.45 ? 1 : 0)
  return {
    floors,
    eaves: 0.5 + floors * 0.98,
    gable: 0.9 + 0.5 * hash(house, 12),
    setback: 0.1 * hash(house, 13),
  }
})
const HOUSE = { floors: 3, eaves: 3.44, gable: 1, setback: 0 } as const
const measuresOf = (house: number) => MEASURES[(house + REACH) & (2 * REACH - 1)] ?? HOUSE
const floorsOf = (house: number): number => measuresOf(house).floors
const eavesOf = (house: number): number => measuresOf(house).eaves

function house(x: number, y: number, z: number, i: number): number {
  const px = x - (i + 0.5) * WIDTH
  const { eaves, gable, setback } = measuresOf(i)
  const pz = z + 2 + setback
  const body = box(px, y - eaves / 2, pz, WIDTH / 2 - 0.012, eaves / 2, 2)
  // A gable: two slopes that meet at the ridge, which runs away from the water.
  const slope = gable / (WIDTH / 2)
  const incline = (y - eaves - gable + Math.abs(px) * slope) / length2(1, slope)
  const roof = Math.max(incline, Math.max(eaves - 0.02 - y, Math.abs(pz) - 1.96))
  const chimney = box(px - 0.34, y - eaves - gable * 0.8, pz - 0.7, 0.1, 0.4, 0.14)
  return Math.min(body, roof, chimney)
}

interface Opening {
  readonly u: number
  readonly v: number
  readonly wide: number
  readonly high: number
}

/** The window or door of a facade that a point is at: its place from the middle, in units of its half size. */
function opening(x: number, y: number): Opening | undefined {
  const i = Math.floor(x / WIDTH)
  const px = x - (i + 0.5) * WIDTH
  const storey = Math.floor((y - 0.42) / 0.98)
  if (storey < 0 || storey >= floorsOf(i)) return undefined
  const columns = hash(i, 14) > 0.4 ? 3 : 2
  const pitch = (WIDTH - 0.16) / columns
  const column = Math.floor((px + (WIDTH - 0.16) / 2) / pitch)
  if (column < 0 || column >= columns) return undefined
  const cx = -(WIDTH - 0.16) / 2 + (column + 0.5) * pitch
  const door = storey === 0 && column === (hash(i, 15) > 0.5 ? 0 : columns - 1)
  const wide = door ? 0.17 : pitch * 0.31
  const high = door ? 0.42 : 0.33
  const cy = 0.42 + storey * 0.98 + (door ? high - 0.1 : 0.52)
  return { u: (px - cx) / wide, v: (y - cy) / high, wide, high }
}

const LAMPS = [-2.9, 0.6, 4.1] as const

function street(x: number, y: number, z: number): number {
  let d = Math.max(y - 0.36, Math.max(z - 1.05, -z - 8))
  const kerb = box(x, y - 0.38, z - 0.98, 40, 0.05, 0.09)
  d = Math.min(d, kerb)
  for (const at of LAMPS) {
    const post = Math.max(length2(x - at, z - 0.82) - 0.025, Math.abs(y - 0.95) - 0.62)
    const lamp = box(x - at, y - 1.66, z - 0.82, 0.07, 0.11, 0.07)
    d = Math.min(d, post, lamp)
  }
  return d
}

function boat(x: number, y: number, z: number): number {
  const px = x - 2.1
  const pz = z - 2.0
  const beam = 0.36 * Math.sqrt(Math.max(0.02, 1 - (px / 1.15) ** 2))
  const hull = Math.max(
    Math.abs(pz) - beam,
    Math.abs(y + 0.02) - 0.17 - 0.12 * (px / 1.15) ** 2,
    Math.abs(px) - 1.1,
  )
  const inside = Math.max(Math.abs(pz) - beam + 0.05, -(y - 0.02), Math.abs(px) - 1.0)
  return Math.max(hull, -inside) * 0.7
}

/** Old houses along a canal after rain. */
export const canalScene: Scene = {
  eye: [1.5, 1.9, 9.4],
  target: [0.35, 2.02, 0],
  spread: 0.4,
  aperture: 0,
  far: 70,
  sun: { direction: [-0.62, 0.52, 0.72], colour: [3.6, 3.0, 2.2], radius: 0.02 },
  bounces: 3,
  distance: (x, y, z) => {
    let d = Math.min(y + 0.12, street(x, y, z), boat(x, y, z))
    if (z > 2.4 && y > 0.6) return Math.min(d, z - 1)
    const i = Math.floor(x / WIDTH)
    for (let k = i - 1; k <= i + 1; k++) d = Math.min(d, house(x, y, z, k))
    return d
  },
  surface: (x, y, z, normal, out) => {
    if (y < -0.11) {
      const near = smoothstep(26, 2, length2(x - 1.5, z - 9.4))
      const wave = 0.02 + 0.028 * near
      normal[0] += (noise2(x * 2.2, z * 5, 1) - 0.5) * wave + (noise2(x * 7, z * 13, 2) - 0.5) * wave * 0.6
      normal[2] += (noise2(x * 2.2, z * 5, 3) - 0.5) * wave * 1.8 + (noise2(x * 7, z * 13, 4) - 0.5) * wave
      const length = length3(normal[0], normal[1], normal[2])
      normal[0] /= length
      normal[1] /= length
      normal[2] /= length
      out.r = 0.03
      out.g = 0.06
      out.b = 0.06
      out.gloss = 0.12
      out.roughness = 0.01
      return
    }
    const hull = boat(x, y, z)
    const quay = street(x, y, z)
    const i = Math.floor(x / WIDTH)
    if (hull < 0.01) {
      const plank = y > 0.02 ? 1 : 0
      out.r = mix(0.08, 0.4, plank)
      out.g = mix(0.24, 0.26, plank)
      out.b = mix(0.3, 0.14, plank)
      out.gloss = 0.03
      out.roughness = 0.3
      return
    }
    if (quay < 0.01) {
      if (y > 0.5) {
        const glass = y > 1.56 && y < 1.76
        out.r = glass ? 0.7 : 0.03
        out.g = glass ? 0.66 : 0.04
        out.b = glass ? 0.5 : 0.04
        return
      }
      const row = Math.floor(y * 9)
      const shift = (row % 2) * 0.2
      const stone = hash(Math.floor((x + shift) * 2.5), row, Math.floor(z * 3))
      const moss = smoothstep(0.18, -0.05, y)
      const tone = mix(0.24, 0.36, stone) * mix(0.85, 1.1, fbm2(x * 5, y * 5 + z * 5, 4, 6))
      out.r = mix(tone, 0.06, moss * 0.8)
      out.g = mix(tone * 0.97, 0.09, moss * 0.8)
      out.b = mix(tone * 0.9, 0.05, moss * 0.8)
      return
    }
    const eaves = eavesOf(i)
    const colour = COLOURS[((i % 8) + 8) % 8] ?? COLOURS[0]
    const front = normal[2] > 0.7
    if (!front && y > eaves - 0.05) {
      const tile = 0.75 + 0.4 * hash(Math.floor(z * 7), Math.floor(y * 9), i)
      out.r = 0.3 * tile
      out.g = 0.12 * tile
      out.b = 0.08 * tile
      return
    }
    const at = front ? opening(x, y) : undefined
    if (at && Math.abs(at.u) < 1.16 && Math.abs(at.v) < 1.12) {
      const pane = Math.abs(at.u) < 0.92 && Math.abs(at.v) < 0.93
      const bar = Math.abs(at.u) < 0.05 || Math.abs(((at.v + 1) % 0.66) - 0.33) < 0.03 || !pane
      if (bar) {
        out.r = out.g = 0.8
        out.b = 0.76
        return
      }
      const warm = hash(Math.floor(x * 2.1), Math.floor(y), 19) > 0.86 ? 0.32 : 0
      const curtain = Math.abs(at.u) > 0.62 ? 0.3 : 0
      out.r = 0.02 + curtain
      out.g = 0.025 + curtain
      out.b = 0.03 + curtain * 0.9
      if (warm > 0 && curtain === 0) {
        out.r = 0.9
        out.g = 0.55
        out.b = 0.22
        out.glow = warm
      }
      out.gloss = 0.1
      out.roughness = 0.01
      normal[0] += (hash(Math.floor(x * 4), Math.floor(y * 3), 3) - 0.5) * 0.03
      normal[1] += (hash(Math.floor(x * 4), Math.floor(y * 3), 4) - 0.5) * 0.03
      return
    }
    const brick = Math.floor(y * 22)
    const mortar = Math.min(
      Math.abs(y * 22 - brick - 0.5),
      Math.abs((((x + (brick % 2) * 0.05) * 10) % 1) - 0.5),
    )
    const tone =
      mix(0.8, 1.12, hash(Math.floor((x + (brick % 2) * 0.05) * 10), brick, i)) *
      mix(0.86, 1.06, fbm2(x * 2, y * 1.2, 5, 7))
    const painted = hash(i, 16) > 0.5
    const line = painted ? 0 : smoothstep(0.46, 0.5, mortar) * 0.1
    const cornice = y > eaves - 0.12 && y < eaves ? 0.35 : 0
    out.r = mix(colour[0] * (painted ? mix(0.94, 1.02, tone) : tone) + line, 0.8, cornice)
    out.g = mix(colour[1] * (painted ? mix(0.94, 1.02, tone) : tone) + line, 0.78, cornice)
    out.b = mix(colour[2] * (painted ? mix(0.94, 1.02, tone) : tone) + line, 0.72, cornice)
  },
  sky: (x, y, z, out) => {
    const t = Math.max(0, y)
    const flat = Math.max(0.05, y + 0.12)
    const cloud =
      smoothstep(0.44, 0.7, fbm2((x / flat) * 0.9 + 4, (z / flat) * 0.9, 6, 40)) * smoothstep(0, 0.16, y)
    out[0] = mix(mix(0.86, 0.24, t ** 0.6), 1.25, cloud * 0.85)
    out[1] = mix(mix(0.82, 0.42, t ** 0.6), 1.18, cloud * 0.85)
    out[2] = mix(mix(0.8, 0.78, t ** 0.6), 1.12, cloud * 0.85)
  },
}
