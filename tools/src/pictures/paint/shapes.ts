import { length2, length3 } from './length.ts'
/** Distances to solids at the origin unless said otherwise; negative inside. */

export function box(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const dx = Math.abs(x) - a
  const dy = Math.abs(y) - b
  const dz = Math.abs(z) - c
  return (
    length3(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0)) + Math.min(Math.max(dx, Math.max(dy, dz)), 0)
  )
}

export function sphere(x: number, y: number, z: number, radius: number): number {
  return length3(x, y, z) - radius
}

/** A rod from (ax, ay, az) to (bx, by, bz). */
export function rod(
  x: number,
  y: number,
  z: number,
  a: readonly [number, number, number],
  b: readonly [number, number, number],
  radius: number,
): number {
  const bx = b[0] - a[0]
  const by = b[1] - a[1]
  const bz = b[2] - a[2]
  const px = x - a[0]
  const py = y - a[1]
  const pz = z - a[2]
  const h = Math.min(1, Math.max(0, (px * bx + py * by + pz * bz) / (bx * bx + by * by + bz * bz)))
  return length3(px - bx * h, py - by * h, pz - bz * h) - radius
}

/** A round-edged bowl: the part of a hollow sphere below `rim` (a height, negative for shallow bowls). */
export function bowl(
  x: number,
  y: number,
  z: number,
  radius: number,
  rim: number,
  thickness: number,
): number {
  const w = Math.sqrt(radius * radius - rim * rim)
  const q = length2(x, z)
  return (y * w > rim * q ? length2(q - w, y - rim) : Math.abs(length2(q, y) - radius)) - thickness
}

/** The lesser of two distances, blended over `k` where they are close. */
export function blend(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k
  return Math.min(a, b) - h * h * k * 0.25
}
