/** What a line must pass: at `x`, between `low` and `high`. */
export interface Gate {
  readonly x: number
  readonly low: number
  readonly high: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/**
 * The corners of the line from (`x`, `y`) of `from` through all gates that turns least, as a string does that is pulled tight and
 * whose end slides up and down in the last gate. Gates come by rising `x` beyond `from`. Time in proportion to the gates.
 */
export function tautString(from: Point, gates: readonly Gate[]): Point[] {
  const line: Point[] = [from]
  const upper = new Chain(from, 1)
  const lower = new Chain(from, -1)
  for (const { x, low, high } of gates) {
    wrap(upper, lower, { x, y: high }, line)
    wrap(lower, upper, { x, y: low }, line)
  }
  const last = gates.at(-1)
  if (!last) return line
  slide(lower, line)
  slide(upper, line)
  const end = line[line.length - 1]
  if (end.x < last.x) line.push({ x: last.x, y: end.y })
  return line
}

/** Adds a point to one side; where it lies beyond the other side, the string turns around that one's corners. */
function wrap(own: Chain, other: Chain, point: Point, line: Point[]): void {
  let turned = false
  while (other.length > 1 && own.side * (slope(other.first, point) - other.slope) < 0) {
    line.push(other.advance())
    turned = true
  }
  if (turned) own.restart(other.first)
  own.add(point)
}

/** The string's loose end: it follows a side's corners as long as that side leads away from level. */
function slide(chain: Chain, line: Point[]): void {
  while (chain.length > 1 && chain.side * chain.slope < 0) line.push(chain.advance())
}

/** The corners that one side of the gates may force on the string, from where it is held: each turns the same way. */
class Chain {
  /** 1 for the upper side, whose corners lead ever more upwards; -1 for the lower. */
  readonly side: 1 | -1
  #points: Point[]
  #start = 0

  constructor(from: Point, side: 1 | -1) {
    this.side = side
    this.#points = [from]
  }

  get length(): number {
    return this.#points.length - this.#start
  }

  get first(): Point {
    return this.#points[this.#start]
  }

  /** Of the first edge; only where there is one. */
  get slope(): number {
    return slope(this.first, this.#points[this.#start + 1])
  }

  /** The string is held by the next corner now: returns it. */
  advance(): Point {
    this.#start++
    return this.first
  }

  restart(from: Point): void {
    this.#points = [from]
    this.#start = 0
  }

  add(point: Point): void {
    const points = this.#points
    while (points.length - this.#start > 1) {
      const corner = points[points.length - 1]
      if (this.side * (slope(corner, point) - slope(points[points.length - 2], corner)) > 0) break
      points.pop()
    }
    points.push(point)
  }
}

function slope(from: Point, to: Point): number {
  return (to.y - from.y) / (to.x - from.x)
}
