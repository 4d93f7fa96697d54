import { length3 } from '../paint/length.ts'
import { fbm2, hash, mix, noise2, smoothstep } from '../paint/noise.ts'
import type { Shader } from '../paint/painter.ts'
import type { Colour } from '../paint/tracer.ts'

const EYE = 1.15
const SUN = [-0.58, 0.3, 0.42] as const
const LENGTH = Math.hypot(...SUN)
const [SX, SY, SZ] = [SUN[0] / LENGTH, SUN[1] / LENGTH, SUN[2] / LENGTH]

/** Height of the land; below 0 is the lake. */
function land(x: number, z: number, octaves: number): number {
  if (z < 14) return -1
  const range = smoothstep(17, 46, z) * (1 - 0.35 * smoothstep(60, 80, z))
  const valley = 0.32 + 0.68 * smoothstep(2, 22, Math.abs(x + 5 - (z - 20) * 0.1))
  const rise = fbm2(x * 0.052 + 3.1, z * 0.052 + 8.4, octaves, 50)
  const ridge = 1 - Math.abs(2 * fbm2(x * 0.075 + 9, z * 0.075, octaves, 60) - 1)
  const shore = smoothstep(14.5, 21, z + 5 * noise2(x * 0.15, 3.3))
  return -0.6 + shore * 1.1 + range * valley * (rise * 7 + ridge * ridge * 13 - 1)
}

function sky(x: number, y: number, z: number, out: Colour): void {
  const t = Math.max(0, y)
  const toSun = Math.max(0, x * SX + y * SY + z * SZ)
  const flat = t + 0.08
  const veil = fbm2((x / flat) * 0.55 + 2, (z / flat) * 0.3, 6, 70)
  const cloud = smoothstep(0.46, 0.78, veil) * smoothstep(0.02, 0.2, t)
  const glow = 0.5 * toSun ** 7 + 0.5 * toSun ** 60
  out[0] = mix(mix(1.02, 0.17, t ** 0.5), 1.4, cloud * 0.75) + glow * 1.1
  out[1] = mix(mix(0.86, 0.34, t ** 0.5), 1.16, cloud * 0.75) + glow * 0.7
  out[2] = mix(mix(0.76, 0.66, t ** 0.5), 1.06, cloud * 0.75) + glow * 0.32
}

/** The lit slope that a ray meets, or the sky. */
function look(oy: number, dx: number, dy: number, dz: number, fine: number, out: Colour): void {
  let t = 13 / Math.max(0.2, dz)
  let found = false
  for (let step = 0; step < 170 && t < 110; step++) {
    const gap = oy + dy * t - land(dx * t, dz * t, step < 40 ? 5 : 6)
    if (gap < 0.002 * t) {
      found = true
      break
    }
    t += Math.max(0.05, gap * 0.42)
  }
  sky(dx, dy, dz, out)
  if (!found) return
  const [x, y, z] = [dx * t, oy + dy * t, dz * t]
  const e = 0.02 + t * 0.0011
  const nx = land(x - e, z, fine) - land(x + e, z, fine)
  const nz = land(x, z - e, fine) - land(x, z + e, fine)
  const length = length3(nx, 2 * e, nz)
  const up = (2 * e) / length
  let lit = Math.max(0, (nx * SX + 2 * e * SY + nz * SZ) / length)
  for (let s = 1; s <= 14 && lit > 0; s++) {
    const far = s * s * 0.12
    if (land(x + SX * far, z + SZ * far, 5) > y + SY * far) lit = 0
  }
  const snow =
    smoothstep(5.4, 7.4, y + 2.4 * (fbm2(x * 0.5, z * 0.5, 4, 80) - 0.5)) * smoothstep(0.42, 0.62, up)
  const trees =
    smoothstep(3.6, 1.6, y + 1.8 * (fbm2(x * 0.7, z * 0.7, 4, 81) - 0.5)) * smoothstep(0.3, 0.55, up)
  const speckle = 0.55 + 0.9 * hash(Math.floor(x * 7), Math.floor(z * 7), Math.floor(y * 7))
  const rock = 0.6 + 0.7 * fbm2(x * 1.3, y * 2.2 + z, 5, 82)
  const r = mix(mix(0.17 * rock, 0.022 * speckle, trees), 0.86, snow)
  const g = mix(mix(0.185 * rock, 0.04 * speckle, trees), 0.88, snow)
  const b = mix(mix(0.175 * rock, 0.024 * speckle, trees), 0.93, snow)
  const haze = 1 - Math.exp(-t * 0.0062)
  const [hr, hg, hb] = [0.66, 0.66, 0.78]
  out[0] = mix(r * (lit * 3.7 + 0.26 * (0.5 + up)), hr, haze)
  out[1] = mix(g * (lit * 2.9 + 0.36 * (0.5 + up)), hg, haze)
  out[2] = mix(b * (lit * 2.1 + 0.56 * (0.5 + up)), hb, haze)
}

/** Planks of the jetty: x from its middle, z along it. */
function jetty(x: number, z: number, out: Colour): boolean {
  const half = 0.52
  if (Math.abs(x) > half || z > 7.4) return false
  const plank = Math.floor(z / 0.24)
  const along = z / 0.24 - plank
  if (along < 0.07) return false
  if (Math.abs(x) > half - 0.05 * hash(plank, 4)) return false
  const grain = fbm2(x * 2 + plank * 5, z * 40, 4, 90)
  const nail = Math.abs(Math.abs(x) - 0.36) < 0.014 && Math.abs(along - 0.5) < 0.08 ? 0.3 : 1
  const tone = (0.24 + 0.22 * grain) * (0.75 + 0.5 * hash(plank, 1)) * nail
  out[0] = tone * 1.55
  out[1] = tone * 1.32
  out[2] = tone * 1.14
  return true
}

const POSTS = [2.6, 5, 7.3] as const

/** A lake under mountains before evening, with a jetty. */
export const lakeShader: Shader = (u, v, _random, out) => {
  const length = length3(u * 0.98, v * 0.98 - 0.035, 1)
  const dx = (u * 0.98) / length
  const dy = (v * 0.98 - 0.035) / length
  const dz = 1 / length
  if (dy >= -0.0005) return look(EYE, dx, dy, dz, 8, out)
  // The jetty runs a little to the left.
  const deck = (EYE - 0.3) / -dy
  const jx = dx * deck - 0.62 + dz * deck * 0.09
  if (jetty(jx, dz * deck, out)) return
  for (const at of POSTS) {
    for (const side of [-0.5, 0.5]) {
      const centre = 0.62 - at * 0.09 + side
      const t = at / dz
      const across = dx * t - centre
      const y = EYE + dy * t
      if (Math.abs(across) < 0.06 && y < 0.42 && y > -0.02) {
        const shade = 0.1 + 0.2 * smoothstep(0.05, -0.06, across)
        out[0] = shade * 1.3
        out[1] = shade * 1.05
        out[2] = shade * 0.85
        return
      }
    }
  }
  const t = EYE / -dy
  const x = dx * t
  const z = dz * t
  if (t > 13 && land(x, z, 6) > 0) return look(EYE, dx, dy, dz, 8, out)
  const calm = 1 / (1 + t * 0.1)
  const wave = 0.055 * calm + 0.006
  const wx = (noise2(x * 1.3, z * 3.6, 1) - 0.5) * wave + (noise2(x * 5, z * 12, 2) - 0.5) * wave * 0.5
  const wz = (noise2(x * 1.3, z * 3.6, 3) - 0.5) * wave * 2.2 + (noise2(x * 5, z * 12, 4) - 0.5) * wave * 1.2
  const along = 2 * (dx * wx + dy + dz * wz)
  const ry = Math.abs(dy - along)
  const rx = dx - along * wx
  const rz = dz - along * wz
  const mirror = 0.04 + 0.96 * (1 - Math.min(1, -dy)) ** 4
  const under = Math.abs(dx * t - 0.62 + z * 0.09) < 0.6 && z < 7.5
  look(0, rx, ry, rz, 6, out)
  const deep = [0.02, 0.075, 0.085] as const
  const shade = under ? 0.28 : 1
  out[0] = mix(deep[0], out[0] * 0.92, mirror) * shade
  out[1] = mix(deep[1], out[1] * 0.95, mirror) * shade
  out[2] = mix(deep[2], out[2], mirror) * shade
}
