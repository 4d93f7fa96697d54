import { length3 } from '../paint/length.ts'
import { fbm2, hash, mix } from '../paint/noise.ts'
import { box } from '../paint/shapes.ts'
import type { Scene } from '../paint/tracer.ts'

const CELL = 0.98
const HALF_X = 2.94
const HALF_Z = 1.96

interface Fruit {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly radius: number
  readonly long: number
  readonly kind: number
  readonly cos: number
  readonly sin: number
}

function fruitAt(i: number, j: number, layer: number): Fruit | undefined {
  const shift = layer * 0.5
  const x = (i + 0.5 + shift) * CELL + (hash(i, j, layer) - 0.5) * 0.16
  const z = (j + 0.5 + shift) * CELL + (hash(j, i, layer + 7) - 0.5) * 0.16
  if (Math.abs(x) > HALF_X - 0.3 || Math.abs(z) > HALF_Z - 0.3) return undefined
  if (layer === 2 && (hash(i, j, 33) > 0.5 || Math.abs(x) > 1.7 || Math.abs(z) > 1)) return undefined
  const pick = hash(i + 3 * layer, j, 21)
  // Oranges lie to the left, lemons in the middle, limes and grapefruit to the right, not strictly.
  const place = x / HALF_X + (pick - 0.5) * 0.7
  const kind = place < -0.28 ? 0 : place < 0.3 ? 1 : place < 0.62 ? 2 : 3
  const radius = [0.47, 0.4, 0.36, 0.52][kind] ?? 0.45
  const turn = hash(i, j, 5 + layer) * Math.PI
  const room = radius + 0.08
  return {
    x: Math.max(room - HALF_X, Math.min(HALF_X - room, x)),
    y: 0.6 + layer * 0.62 + (hash(i, j, 9) - 0.5) * 0.12,
    z: Math.max(room - HALF_Z, Math.min(HALF_Z - room, z)),
    radius,
    long: kind === 1 ? 0.76 : kind === 2 ? 0.86 : 0.98,
    kind,
    cos: Math.cos(turn),
    sin: Math.sin(turn),
  }
}

const CACHE: (Fruit | undefined)[] = []
for (let layer = 0; layer < 3; layer++)
  for (let j = -4; j < 4; j++) for (let i = -4; i < 4; i++) CACHE.push(fruitAt(i, j, layer))
const cached = (i: number, j: number, layer: number): Fruit | undefined =>
  i < -4 || i > 3 || j < -4 || j > 3 ? undefined : CACHE[layer * 64 + (j + 4) * 8 + i + 4]

let nearest: Fruit | undefined

function fruits(x: number, y: number, z: number): number {
  let least = 1e9
  nearest = undefined
  for (let layer = 0; layer < 3; layer++) {
    const i = Math.floor(x / CELL - layer * 0.5)
    const j = Math.floor(z / CELL - layer * 0.5)
    for (let b = j - 1; b <= j + 1; b++) {
      for (let a = i - 1; a <= i + 1; a++) {
        const fruit = cached(a, b, layer)
        if (!fruit) continue
        const px = x - fruit.x
        const pz = z - fruit.z
        const u = (px * fruit.cos + pz * fruit.sin) * fruit.long
        const v = -px * fruit.sin + pz * fruit.cos
        const d = (length3(u, y - fruit.y, v) - fruit.radius) * 0.92
        if (d < least) {
          least = d
          nearest = fruit
        }
      }
    }
  }
  return least
}

function crate(x: number, y: number, z: number): number {
  const slat = 0.56
  const row = Math.min(2, Math.max(0, Math.round((y - 0.3) / slat)))
  const py = y - 0.3 - row * slat
  const long = box(x, py, Math.abs(z) - HALF_Z, HALF_X + 0.08, 0.22, 0.05)
  const short = box(Math.abs(x) - HALF_X, py, z, 0.05, 0.22, HALF_Z + 0.04)
  const post = box(Math.abs(x) - HALF_X + 0.1, y - 0.8, Math.abs(z) - HALF_Z + 0.1, 0.09, 0.86, 0.09)
  return Math.min(long, short, post)
}

const COLOURS = [
  [0.86, 0.27, 0.02],
  [0.9, 0.68, 0.05],
  [0.24, 0.45, 0.06],
  [0.88, 0.36, 0.2],
] as const

/** A crate of citrus fruit in the sun: nothing but colour. */
export const citrusScene: Scene = {
  eye: [-1.5, 6.2, 6.4],
  target: [0.05, 0.75, 0.25],
  spread: 0.292,
  aperture: 0.05,
  far: 40,
  sun: { direction: [0.62, 0.78, 0.12], colour: [3.7, 3.3, 2.7], radius: 0.05 },
  bounces: 4,
  distance: (x, y, z) => {
    const ground = Math.min(y, crate(x, y, z))
    const pile = box(x, y - 1.1, z, HALF_X, 1.2, HALF_Z)
    return pile > 0.5 ? Math.min(ground, pile) : Math.min(ground, fruits(x, y, z))
  },
  surface: (x, y, z, normal, out) => {
    const wood = crate(x, y, z)
    const pile = fruits(x, y, z)
    if (pile < 0.01 && pile < wood && nearest) {
      const colour = COLOURS[nearest.kind] ?? COLOURS[0]
      const u = x - nearest.x
      const v = z - nearest.z
      const w = y - nearest.y
      const pit = fbm2(u * 30 + w * 11, v * 30 - w * 9, 2, nearest.kind)
      normal[0] += (pit - 0.5) * 0.32
      normal[2] += (fbm2(v * 30, u * 30 + w * 20, 2, 3) - 0.5) * 0.32
      const length = length3(normal[0], normal[1], normal[2])
      normal[0] /= length
      normal[1] /= length
      normal[2] /= length
      const ripe = mix(0.82, 1.08, fbm2(u * 2 + nearest.x, v * 2 + w * 2, 3, 6))
      out.r = Math.min(0.95, colour[0] * ripe)
      out.g = colour[1] * ripe * ripe
      out.b = colour[2] * ripe
      out.gloss = 0.04
      out.roughness = 0.22
      return
    }
    if (wood < 0.01) {
      const grain = fbm2(x * 3 + z * 26, y * 22, 4, 15)
      const chip = fbm2(x * 4, y * 9 + z * 4, 5, 18) > 0.63 ? 1 : 0
      out.r = mix(0.1, 0.42, chip) * mix(0.8, 1.1, grain)
      out.g = mix(0.33, 0.3, chip) * mix(0.8, 1.1, grain)
      out.b = mix(0.5, 0.19, chip) * mix(0.8, 1.1, grain)
      return
    }
    const board = Math.floor((x * 0.3 + z) / 0.9)
    const joint = Math.abs((x * 0.3 + z) / 0.9 - board - 0.5)
    const tone = mix(0.34, 0.5, fbm2(x * 9 + board * 7, z * 0.9, 5, 2)) * (joint > 0.485 ? 0.3 : 1)
    out.r = tone
    out.g = tone * 0.9
    out.b = tone * 0.76
  },
  sky: (_x, y, _z, out) => {
    out[0] = mix(0.5, 0.3, Math.max(0, y))
    out[1] = mix(0.55, 0.42, Math.max(0, y))
    out[2] = mix(0.6, 0.66, Math.max(0, y))
  },
}
