/** A point of the 560 by 360 frame. */
export type Point = readonly [x: number, y: number]

const BLOW: Point = [325, 165]
const RIGHT_FORK: Point = [440, 190]
const LEFT_FORK: Point = [190, 150]

/* Each crack runs outwards; its last point lies on the frame's edge or on a fork. */
const top: readonly Point[] = [BLOW, [308, 138], [280, 97], [266, 86], [232, 38], [190, 0]]
const topRight: readonly Point[] = [BLOW, [338, 128], [370, 92], [376, 60], [402, 32], [420, 0]]
const right: readonly Point[] = [BLOW, [366, 168], [402, 188], RIGHT_FORK]
const rightUp: readonly Point[] = [RIGHT_FORK, [468, 178], [514, 164], [560, 140]]
const rightDown: readonly Point[] = [RIGHT_FORK, [458, 224], [500, 258], [520, 280], [560, 300]]
const bottom: readonly Point[] = [BLOW, [342, 200], [378, 228], [390, 268], [424, 312], [440, 360]]
const bottomLeft: readonly Point[] = [BLOW, [298, 194], [260, 220], [248, 252], [224, 302], [200, 360]]
const left: readonly Point[] = [BLOW, [282, 154], [238, 162], LEFT_FORK]
const leftDown: readonly Point[] = [LEFT_FORK, [142, 162], [84, 186], [0, 205]]
const leftUp: readonly Point[] = [LEFT_FORK, [162, 114], [128, 78], [92, 50], [60, 0]]

const back = (line: readonly Point[]) => [...line].reverse()
const outline = (...lines: readonly (readonly Point[])[]) =>
  lines
    .flat()
    .map(([x, y]) => `${x},${y}`)
    .join(' ')

/** A piece of the broken frame: outline, and how far it lies from its place before it is joined (units, degrees). */
export interface Shard {
  readonly points: string
  readonly dx: number
  readonly dy: number
  readonly turn: number
}

export const SHARDS: readonly Shard[] = [
  { points: outline(top, back(topRight)), dx: 2, dy: -26, turn: -2 },
  { points: outline(topRight, [[560, 0]], back(rightUp), back(right)), dx: 24, dy: -18, turn: 3 },
  { points: outline(rightUp, back(rightDown)), dx: 34, dy: 4, turn: -5 },
  { points: outline(right, rightDown, [[560, 360]], back(bottom)), dx: 20, dy: 22, turn: 2 },
  { points: outline(bottom, back(bottomLeft)), dx: -2, dy: 30, turn: -2 },
  { points: outline(bottomLeft, [[0, 360]], back(leftDown), back(left)), dx: -24, dy: 18, turn: 2 },
  { points: outline(leftDown, [[0, 0]], back(leftUp)), dx: -32, dy: -8, turn: -3 },
  { points: outline(left, leftUp, back(top)), dx: -14, dy: -24, turn: 4 },
]

/** A crack as an area: wide where it begins, fine where it ends, like lacquer that was drawn in. */
function seam(line: readonly Point[], from: number, to: number): string {
  const sides: [string[], string[]] = [[], []]
  line.forEach(([x, y], index) => {
    const [ax, ay] = line[Math.max(0, index - 1)] ?? [x, y]
    const [bx, by] = line[Math.min(line.length - 1, index + 1)] ?? [x, y]
    const length = Math.hypot(bx - ax, by - ay) || 1
    const half = (from + ((to - from) * index) / (line.length - 1)) / 2
    const nx = (-(by - ay) / length) * half
    const ny = ((bx - ax) / length) * half
    sides[0].push(`${(x + nx).toFixed(1)} ${(y + ny).toFixed(1)}`)
    sides[1].unshift(`${(x - nx).toFixed(1)} ${(y - ny).toFixed(1)}`)
  })
  return `M${sides.flat().join('L')}Z`
}

function seams(scale: number): string {
  const main = [top, topRight, right, bottom, bottomLeft, left]
  const forks = [rightUp, rightDown, leftDown, leftUp]
  return [
    ...main.map((line) => seam(line, 8 * scale, 3.4 * scale)),
    ...forks.map((line) => seam(line, 5.4 * scale, 2.6 * scale)),
  ].join('')
}

/** The joints, as one area, and the light on them. */
export const SEAMS = seams(1)
export const SEAM_LIGHT = seams(0.36)
