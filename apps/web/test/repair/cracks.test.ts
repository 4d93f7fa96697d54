import { expect, it } from 'vitest'
import { SEAM_LIGHT, SEAMS, SHARDS } from '../../src/features/repair/hero/cracks.ts'

type Point = readonly [number, number]

const FRAME = { width: 560, height: 360 }
const pointsOf = (text: string): Point[] =>
  text.split(' ').map((pair) => pair.split(',').map(Number) as unknown as Point)
const seamsOf = (path: string): Point[][] =>
  path
    .split('Z')
    .filter(Boolean)
    .map((area) =>
      area
        .slice(1)
        .split('L')
        .map((pair) => pair.split(' ').map(Number) as unknown as Point),
    )

/** Of a polygon, more than 0 where it is walked clockwise as the page shows it. */
function areaOf(points: readonly Point[]): number {
  const next = (i: number): Point => points[(i + 1) % points.length] ?? [0, 0]
  return points.reduce((sum, [x, y], i) => sum + (x * next(i)[1] - next(i)[0] * y) / 2, 0)
}

it('the shards are the whole frame: they cover it once, and each crack is the edge of two', () => {
  const shards = SHARDS.map(({ points }) => pointsOf(points))
  const total = shards.reduce((sum, points) => sum + Math.abs(areaOf(points)), 0)
  expect(total).toBe(FRAME.width * FRAME.height)
  const onEdge = ([x, y]: Point): boolean => x === 0 || y === 0 || x === FRAME.width || y === FRAME.height
  const edges = new Map<string, number>()
  for (const points of shards) {
    for (const [i, from] of points.entries()) {
      const to = points[(i + 1) % points.length] ?? from
      if (`${from}` === `${to}` || (onEdge(from) && onEdge(to))) continue
      const key = [`${from}`, `${to}`].sort().join(' ')
      edges.set(key, (edges.get(key) ?? 0) + 1)
    }
  }
  expect(edges.size).toBe(40)
  expect([...edges].filter(([, times]) => times !== 2)).toEqual([])
})

it('shards lie outwards of their places before they are joined', () => {
  for (const { points, dx, dy } of SHARDS) {
    const corners = pointsOf(points)
    const middle = [0, 1].map(
      (axis) => corners.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / corners.length,
    )
    expect(((middle[0] ?? 0) - 325) * dx + ((middle[1] ?? 0) - 165) * dy).toBeGreaterThan(0)
  }
  expect(SHARDS.map(({ dx, dy, turn }) => [dx, dy, turn])).toEqual([
    [2, -26, -2],
    [24, -18, 3],
    [34, 4, -5],
    [20, 22, 2],
    [-2, 30, -2],
    [-24, 18, 2],
    [-32, -8, -3],
    [-14, -24, 4],
  ])
})

it('seams follow the cracks: wide where these begin and fine where they end, their light a third as wide', () => {
  const corners = new Set(SHARDS.flatMap(({ points }) => pointsOf(points).map(String)))
  const [seams, lights] = [seamsOf(SEAMS), seamsOf(SEAM_LIGHT)]
  expect([seams.length, lights.length]).toEqual([10, 10])
  for (const [i, area] of seams.entries()) {
    const half = area.length / 2
    const [from, to] = i < 6 ? [8, 3.4] : [5.4, 2.6]
    for (let at = 0; at < half; at++) {
      const [ax, ay] = area[at] ?? [0, 0]
      const [bx, by] = area[area.length - 1 - at] ?? [0, 0]
      // the middle of both sides is a corner of the crack, and both are as far from it
      expect(corners).toContain(`${Math.round((ax + bx) / 2)},${Math.round((ay + by) / 2)}`)
      const wide = from + ((to - from) * at) / (half - 1)
      expect(Math.abs(Math.hypot(ax - bx, ay - by) - wide)).toBeLessThan(0.15)
      const [lx, ly] = lights[i]?.[at] ?? [0, 0]
      expect(Math.hypot(lx - (ax + bx) / 2, ly - (ay + by) / 2)).toBeCloseTo((wide * 0.36) / 2, 0)
    }
    // sides run along the crack, not across it
    const [first, second] = [area[0] ?? [0, 0], area[1] ?? [0, 0]]
    const across = [(area.at(-1)?.[0] ?? 0) - first[0], (area.at(-1)?.[1] ?? 0) - first[1]]
    const along = [second[0] - first[0], second[1] - first[1]]
    const turn = (across[0] ?? 0) * (along[0] ?? 0) + (across[1] ?? 0) * (along[1] ?? 0)
    expect(Math.abs(turn)).toBeLessThan(0.25 * Math.hypot(...across) * Math.hypot(...along))
  }
})
