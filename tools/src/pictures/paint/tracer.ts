import { length3 } from './length.ts'
import type { LightField } from './picture.ts'
import { Random } from './random.ts'

/** What light meets at a point. */
export interface Surface {
  /** Share of each colour that is scattered, 0 to 1. */
  r: number
  g: number
  b: number
  /** Reflected share at normal incidence: 0.04 for glaze and water, 0 for cloth. */
  gloss: number
  /** Blur of the mirror image: 0 mirror, 1 none. */
  roughness: number
  /** The mirror image takes the surface's colour. */
  metal: boolean
  /** Own light. */
  glow: number
}

export type Vector = readonly [x: number, y: number, z: number]
export type Colour = [r: number, g: number, b: number]

/** A scene as a distance field. y is up. */
export interface Scene {
  readonly eye: Vector
  readonly target: Vector
  /** Half the vertical field of view, as its tangent. */
  readonly spread: number
  /** Radius of the lens; points at the target's distance are sharp. */
  readonly aperture: number
  readonly far: number
  /** Direction to the main light, its colour, and the tangent of its radius. */
  readonly sun: { readonly direction: Vector; readonly colour: Vector; readonly radius: number }
  readonly bounces: number
  /** Distance to the nearest surface, or less. */
  distance(x: number, y: number, z: number): number
  /** The surface at a point on it; may turn the normal. */
  surface(x: number, y: number, z: number, normal: Colour, out: Surface): void
  /** Light that comes from a direction where nothing is. */
  sky(x: number, y: number, z: number, out: Colour): void
}

const MAX_STEPS = 140

function unit(x: number, y: number, z: number): Colour {
  const length = length3(x, y, z)
  return [x / length, y / length, z / length]
}

/** Paints a scene by following paths of light backwards, `samples` of them a pixel. */
export class Tracer {
  readonly #scene: Scene
  readonly #surface: Surface = { r: 0, g: 0, b: 0, gloss: 0, roughness: 1, metal: false, glow: 0 }
  readonly #normal: Colour = [0, 1, 0]
  readonly #sky: Colour = [0, 0, 0]
  readonly #sun: Colour

  constructor(scene: Scene) {
    this.#scene = scene
    this.#sun = unit(...scene.sun.direction)
  }

  /** Distance along a ray to the first surface, or -1. */
  #march(x: number, y: number, z: number, dx: number, dy: number, dz: number, far: number): number {
    let t = 0
    for (let step = 0; step < MAX_STEPS; step++) {
      const d = this.#scene.distance(x + dx * t, y + dy * t, z + dz * t)
      if (d < 0.0004 + t * 0.0002) return t
      t += d
      if (t > far) return -1
    }
    return t
  }

  #slope(x: number, y: number, z: number): void {
    const e = 0.0007
    const { distance } = this.#scene
    const a = distance(x + e, y - e, z - e)
    const b = distance(x - e, y - e, z + e)
    const c = distance(x - e, y + e, z - e)
    const d = distance(x + e, y + e, z + e)
    const nx = a - b - c + d
    const ny = -a - b + c + d
    const nz = -a + b - c + d
    const length = length3(nx, ny, nz) || 1
    this.#normal[0] = nx / length
    this.#normal[1] = ny / length
    this.#normal[2] = nz / length
  }

  #path(
    ox: number,
    oy: number,
    oz: number,
    vx: number,
    vy: number,
    vz: number,
    random: Random,
    out: Colour,
  ): void {
    const { far, sun, bounces } = this.#scene
    const surface = this.#surface
    const normal = this.#normal
    let [x, y, z, dx, dy, dz] = [ox, oy, oz, vx, vy, vz]
    let [wr, wg, wb] = [1, 1, 1]
    let [r, g, b] = [0, 0, 0]
    for (let bounce = 0; bounce <= bounces; bounce++) {
      const t = this.#march(x, y, z, dx, dy, dz, far)
      if (t < 0) {
        this.#scene.sky(dx, dy, dz, this.#sky)
        // One stray bright path must not leave a speck.
        const most = bounce === 0 ? 1e9 : 6
        r += wr * Math.min(most, this.#sky[0])
        g += wg * Math.min(most, this.#sky[1])
        b += wb * Math.min(most, this.#sky[2])
        break
      }
      x += dx * t
      y += dy * t
      z += dz * t
      this.#slope(x, y, z)
      surface.gloss = 0
      surface.roughness = 1
      surface.metal = false
      surface.glow = 0
      this.#scene.surface(x, y, z, normal, surface)
      const [nx, ny, nz] = normal
      r += wr * surface.glow * surface.r
      g += wg * surface.glow * surface.g
      b += wb * surface.glow * surface.b
      x += nx * 0.0025
      y += ny * 0.0025
      z += nz * 0.0025
      const facing = Math.max(0, -(nx * dx + ny * dy + nz * dz))
      const mirror = surface.metal
        ? 1
        : surface.gloss + (1 - surface.gloss) * (1 - facing) ** 5 * (surface.gloss > 0 ? 1 : 0)
      if (random.next() < mirror) {
        const along = 2 * (nx * dx + ny * dy + nz * dz)
        const a = random.next() * 2 * Math.PI
        const h = random.next() * 2 - 1
        const s = Math.sqrt(1 - h * h) * surface.roughness * random.next()
        ;[dx, dy, dz] = unit(
          dx - along * nx + Math.cos(a) * s,
          dy - along * ny + Math.sin(a) * s,
          dz - along * nz + h * surface.roughness * random.next(),
        )
        if (nx * dx + ny * dy + nz * dz < 0) break
        if (surface.metal) {
          wr *= surface.r
          wg *= surface.g
          wb *= surface.b
        }
        continue
      }
      wr *= surface.r
      wg *= surface.g
      wb *= surface.b
      // The main light, from a random point of its disc.
      const jitter = sun.radius * Math.sqrt(random.next())
      const angle = random.next() * 2 * Math.PI
      const [sx, sy, sz] = this.#sun
      const [lx, ly, lz] = unit(
        sx + Math.cos(angle) * jitter * sz - Math.sin(angle) * jitter * sx * sy,
        sy + Math.sin(angle) * jitter * (1 - sy * sy),
        sz - Math.cos(angle) * jitter * sx - Math.sin(angle) * jitter * sz * sy,
      )
      const lit = nx * lx + ny * ly + nz * lz
      if (lit > 0 && this.#march(x, y, z, lx, ly, lz, far) < 0) {
        r += wr * lit * sun.colour[0]
        g += wg * lit * sun.colour[1]
        b += wb * lit * sun.colour[2]
      }
      // On to a random direction about the normal.
      const a = random.next() * 2 * Math.PI
      const h = random.next() * 2 - 1
      const s = Math.sqrt(1 - h * h)
      ;[dx, dy, dz] = unit(nx + Math.cos(a) * s * 0.999, ny + Math.sin(a) * s * 0.999, nz + h * 0.999)
    }
    out[0] += r
    out[1] += g
    out[2] += b
  }

  paint(width: number, height: number, samples: number): LightField {
    const { eye, target, spread, aperture } = this.#scene
    const light = new Float32Array(width * height * 3)
    const focus = length3(target[0] - eye[0], target[1] - eye[1], target[2] - eye[2])
    const [fx, fy, fz] = unit(target[0] - eye[0], target[1] - eye[1], target[2] - eye[2])
    const [rx, , rz] = unit(-fz, 0, fx)
    const ux = -rz * fy
    const uy = rz * fx - rx * fz
    const uz = rx * fy
    const sum: Colour = [0, 0, 0]
    for (let py = 0; py < height; py++) {
      for (let px = 0; px < width; px++) {
        const random = new Random(py * width + px + 1)
        sum.fill(0)
        for (let s = 0; s < samples; s++) {
          const u = ((px + random.next()) / width - 0.5) * 2 * spread * (width / height)
          const v = (0.5 - (py + random.next()) / height) * 2 * spread
          const lens = aperture * Math.sqrt(random.next())
          const turn = random.next() * 2 * Math.PI
          const a = Math.cos(turn) * lens
          const b = Math.sin(turn) * lens
          const cx = rx * a + ux * b
          const cy = uy * b
          const cz = rz * a + uz * b
          const [dx, dy, dz] = unit(
            (fx + rx * u + ux * v) * focus - cx,
            (fy + uy * v) * focus - cy,
            (fz + rz * u + uz * v) * focus - cz,
          )
          this.#path(eye[0] + cx, eye[1] + cy, eye[2] + cz, dx, dy, dz, random, sum)
        }
        const i = (py * width + px) * 3
        light[i] = sum[0] / samples
        light[i + 1] = sum[1] / samples
        light[i + 2] = sum[2] / samples
      }
    }
    return { width, height, light }
  }
}
