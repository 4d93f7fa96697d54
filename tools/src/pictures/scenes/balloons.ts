import { length2 } from '../paint/length.ts'
import { fbm2, hash, mix, noise2, smoothstep } from '../paint/noise.ts'
import type { Shader } from '../paint/painter.ts'
import type { Colour } from '../paint/tracer.ts'

const SUN_U = 0.42
const SUN_V = 0.02

function sky(u: number, v: number, out: Colour): void {
  const t = smoothstep(-0.1, 0.55, v)
  const away = length2(u - SUN_U, (v - SUN_V) * 1.25)
  const glow = Math.exp(-away * 3.4)
  const disc = smoothstep(0.032, 0.026, away) * 6
  const wisp = smoothstep(0.5, 0.82, fbm2(u * 2.2 + 1, v * 9 + u, 6, 30)) * smoothstep(0.02, 0.3, v) * 0.55
  out[0] = mix(0.98, 0.2, t) + glow * 1.0 + disc + wisp * 0.4
  out[1] = mix(0.62, 0.34, t) + glow * 0.52 + disc * 0.86 + wisp * 0.24
  out[2] = mix(0.5, 0.6, t) + glow * 0.16 + disc * 0.6 + wisp * 0.2
}

/** Height of the edge of a range of hills: 0 is the farthest. */
function edge(u: number, range: number): number {
  const scale = 1.1 + range * 0.22
  const rise = fbm2(u * scale + range * 17.3, range * 3.1, 7, 10) - 0.5
  const bush = range > 1 ? (fbm2(u * (60 + range * 14), range, 3, 12) - 0.5) * (0.004 + range * 0.0022) : 0
  return 0.02 - range * 0.086 + rise * (0.2 + range * 0.016) + bush
}

export interface Balloon {
  readonly u: number
  readonly v: number
  readonly size: number
  readonly gores: number
  readonly haze: number
  readonly colours: readonly (readonly [number, number, number])[]
}

/** Sunrise: the first balloon hangs before the hills, the others behind them. */
export const SUNRISE: readonly Balloon[] = [
  {
    u: -0.4,
    v: 0.16,
    size: 0.15,
    gores: 16,
    haze: 0.02,
    colours: [
      [0.78, 0.1, 0.05],
      [0.9, 0.78, 0.6],
      [0.86, 0.42, 0.04],
    ],
  },
  {
    u: 0.19,
    v: 0.3,
    size: 0.078,
    gores: 14,
    haze: 0.12,
    colours: [
      [0.05, 0.22, 0.4],
      [0.86, 0.62, 0.1],
    ],
  },
  {
    u: 0.56,
    v: 0.19,
    size: 0.05,
    gores: 12,
    haze: 0.26,
    colours: [
      [0.5, 0.08, 0.14],
      [0.92, 0.6, 0.42],
    ],
  },
  {
    u: -0.06,
    v: 0.1,
    size: 0.036,
    gores: 12,
    haze: 0.36,
    colours: [
      [0.12, 0.34, 0.2],
      [0.9, 0.8, 0.5],
    ],
  },
  {
    u: -0.68,
    v: 0.27,
    size: 0.045,
    gores: 12,
    haze: 0.3,
    colours: [
      [0.8, 0.5, 0.06],
      [0.3, 0.1, 0.3],
    ],
  },
  {
    u: 0.36,
    v: 0.12,
    size: 0.024,
    gores: 10,
    haze: 0.5,
    colours: [
      [0.8, 0.2, 0.1],
      [0.9, 0.8, 0.6],
    ],
  },
]

function balloon(u: number, v: number, it: Balloon, out: Colour): boolean {
  const x = (u - it.u) / it.size
  const y = (v - it.v) / it.size
  const taper = y < 0 ? 1 - 0.46 * smoothstep(0, -1.25, y) : 1
  const px = x / taper
  const py = y < 0 ? y / 1.28 : y
  const rr = px * px + py * py
  if (rr < 1 && y > -1.18) {
    const pz = Math.sqrt(1 - rr)
    const turn = Math.atan2(px, pz)
    const gore = Math.floor((turn / Math.PI + 1) * (it.gores / 2))
    const inGore = (turn / Math.PI + 1) * (it.gores / 2) - gore
    const band = Math.abs(py + 0.12) < 0.17 ? 1 : 0
    const colour = it.colours[(gore + band) % it.colours.length] ?? it.colours[0]
    if (!colour) return false
    const puff = 0.86 + 0.14 * Math.sin(inGore * Math.PI)
    const light = Math.max(0, px * 0.82 + py * 0.2 + pz * 0.22)
    const through = 0.34 * smoothstep(-0.2, -1, py)
    const shade = (0.24 + 1.75 * light + through) * puff
    out[0] = colour[0] * shade * 1.2 + 0.02
    out[1] = colour[1] * shade * 0.98 + 0.02
    out[2] = colour[2] * (shade * 0.74 + 0.16) + 0.03
  } else if (Math.abs(x) < 0.13 && y > -1.74 && y < -1.5) {
    const weave = 0.7 + 0.3 * Math.sin(y * 90) * Math.sin(x * 70)
    out[0] = 0.2 * weave * (x > 0 ? 1.5 : 0.8)
    out[1] = 0.1 * weave * (x > 0 ? 1.4 : 0.8)
    out[2] = 0.05 * weave
  } else if (y > -1.52 && y < -1.16 && Math.abs(Math.abs(x) - mix(0.11, 0.42, (y + 1.52) / 0.36)) < 0.014) {
    out[0] = out[1] = out[2] = 0.08
  } else return false
  out[0] = mix(out[0], 1.02, it.haze)
  out[1] = mix(out[1], 0.72, it.haze)
  out[2] = mix(out[2], 0.58, it.haze)
  return true
}

/** A little later: four of them, nearer. */
export const ASCENT: readonly Balloon[] = [
  {
    u: 0.2,
    v: 0.12,
    size: 0.185,
    gores: 18,
    haze: 0.02,
    colours: [
      [0.04, 0.2, 0.34],
      [0.9, 0.76, 0.52],
      [0.8, 0.34, 0.05],
    ],
  },
  {
    u: -0.36,
    v: 0.27,
    size: 0.088,
    gores: 14,
    haze: 0.12,
    colours: [
      [0.74, 0.1, 0.06],
      [0.92, 0.72, 0.4],
    ],
  },
  {
    u: -0.17,
    v: 0.085,
    size: 0.046,
    gores: 12,
    haze: 0.26,
    colours: [
      [0.1, 0.32, 0.24],
      [0.9, 0.8, 0.5],
    ],
  },
  {
    u: -0.53,
    v: 0.11,
    size: 0.03,
    gores: 10,
    haze: 0.4,
    colours: [
      [0.8, 0.5, 0.06],
      [0.4, 0.1, 0.2],
    ],
  },
]

/** Balloons over misty hills; `place` moves along the hills. */
export const balloonShader =
  ([first, ...others]: readonly Balloon[], place: number): Shader =>
  (u, v, _random, out) => {
    if (first && balloon(u, v, first, out)) return
    for (let range = 6; range >= 0; range--) {
      const top = edge(u + place, range)
      if (v > top) continue
      const below = top - v
      const mist =
        Math.exp(-below * (9 + range * 1.2)) * 0.1 + smoothstep(0.03, 0.22, below) * (0.5 - range * 0.06)
      const near = range / 6
      const tree = 0.6 + 0.8 * fbm2(u * (40 + range * 10), v * (70 + range * 16), 4, 20 + range)
      const field = range >= 4 ? smoothstep(0.52, 0.6, noise2(u * 7 + range, v * 26, 5)) : 0
      const rim = Math.exp(-below * 130) * Math.exp(-Math.abs(u - SUN_U) * 1.5) * 0.5
      const r = mix(mix(0.42, 0.035, near) * tree, 0.16 * tree, field * near) + rim
      const g = mix(mix(0.34, 0.055, near) * tree, 0.14 * tree, field * near) + rim * 0.62
      const b = mix(mix(0.42, 0.045, near) * tree, 0.05 * tree, field * near) + rim * 0.3
      const warm = Math.exp(-Math.abs(u - SUN_U) * 1.9)
      const depth = Math.min(1, mix(0.7, 0, near ** 0.5) + mist * (1 - near * 0.7))
      out[0] = mix(r, mix(0.62, 1.2, warm), depth)
      out[1] = mix(g, mix(0.5, 0.72, warm), depth)
      out[2] = mix(b, mix(0.56, 0.46, warm), depth)
      return
    }
    for (const it of others) if (balloon(u, v, it, out)) return
    sky(u, v, out)
    // A few birds.
    for (let i = 0; i < 5; i++) {
      const x = (u - 0.02 - i * 0.035) * 90
      const y = (v - 0.39 - 0.014 * hash(i, 2) * i) * 90
      if (Math.abs(x) < 1 && Math.abs(y - 0.5 * Math.abs(x) + 0.4 * x * x) < 0.09)
        out[0] = out[1] = out[2] = 0.1
    }
  }
