import type { Grid } from './grid.ts'
import type { Plane } from './planes.ts'

/** Shares by block of the sound pictures before and behind in a picture between them; the rest is its own. */
export interface Shares {
  readonly before: Float32Array
  readonly behind: Float32Array
}

/** What is known of a picture between two sound ones, each a mean square by block; undefined where there is no such picture. */
export interface Errors {
  readonly own: Float32Array
  readonly before: Float32Array | undefined
  readonly behind: Float32Array | undefined
}

/** Errors below this mean square are not seen: nothing is mixed in. */
const SEEN = 8

/**
 * Shares by which the errors of all three pictures even out best, if they have nothing to do with each other: each the larger the
 * smaller its error is. Undefined where the picture stays as it is.
 */
export function sharesOf({ own, before, behind }: Errors): Shares | undefined {
  const shares = { before: new Float32Array(own.length), behind: new Float32Array(own.length) }
  let isMixed = false
  for (const [at, error] of own.entries()) {
    if (error < SEEN) continue
    isMixed = true
    const [one, other] = [before, behind].map((errors) => (errors ? 1 / (1 + (errors[at] ?? 0)) : 0))
    const all = 1 / (1 + error) + (one ?? 0) + (other ?? 0)
    shares.before[at] = (one ?? 0) / all
    shares.behind[at] = (other ?? 0) / all
  }
  return isMixed ? shares : undefined
}

/** Mixes planes of two other pictures into those of one, block by block with soft edges. */
export function mixInto(
  planes: readonly Plane[],
  before: readonly Plane[] | undefined,
  behind: readonly Plane[] | undefined,
  shares: Shares,
  grid: Grid,
): void {
  for (const [place, plane] of planes.entries()) {
    const columns = places(plane.width, grid.columns, (planes[0]?.width ?? 1) / grid.block)
    const rows = places(plane.height, grid.rows, (planes[0]?.height ?? 1) / grid.block)
    for (let y = 0; y < plane.height; y++) {
      const row = rows[y]
      if (!row) continue
      const one = rowOf(shares.before, row, grid.columns)
      const other = rowOf(shares.behind, row, grid.columns)
      if (one.every((share) => share === 0) && other.every((share) => share === 0)) continue
      mixRow(plane, before?.[place], behind?.[place], y, columns, one, other)
    }
  }
}

/** Between which two blocks a sample lies, and how near to the second. */
interface Between {
  readonly first: number
  readonly second: number
  readonly share: number
}

function places(samples: number, blocks: number, across: number): Between[] {
  return Array.from({ length: samples }, (_, at) => {
    const place = Math.min(Math.max(((at + 0.5) / samples) * across - 0.5, 0), blocks - 1)
    const first = Math.floor(place)
    return { first, second: Math.min(first + 1, blocks - 1), share: place - first }
  })
}

function rowOf(shares: Float32Array, { first, second, share }: Between, columns: number): Float32Array {
  const row = new Float32Array(columns)
  for (let at = 0; at < columns; at++) {
    const [above, below] = [shares[first * columns + at] ?? 0, shares[second * columns + at] ?? 0]
    row[at] = above + (below - above) * share
  }
  return row
}

function mixRow(
  plane: Plane,
  before: Plane | undefined,
  behind: Plane | undefined,
  y: number,
  columns: readonly Between[],
  one: Float32Array,
  other: Float32Array,
): void {
  for (let x = 0; x < plane.width; x++) {
    const column = columns[x]
    if (!column) continue
    const shareBefore = before ? between(one, column) : 0
    const shareBehind = behind ? between(other, column) : 0
    if (shareBefore + shareBehind === 0) continue
    const at = y * plane.stride + x
    const own = plane.samples[at] ?? 0
    const first = before?.samples[y * before.stride + x] ?? own
    const second = behind?.samples[y * behind.stride + x] ?? own
    plane.samples[at] = Math.round(own + (first - own) * shareBefore + (second - own) * shareBehind)
  }
}

function between(row: Float32Array, { first, second, share }: Between): number {
  const [left, right] = [row[first] ?? 0, row[second] ?? 0]
  return left + (right - left) * share
}
