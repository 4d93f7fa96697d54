import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_RESTART, type SampleTable } from '../../model/sample-table.ts'

/** Pictures between two restarts of display order: rows [first, end) in decoding order. */
export interface Sequence {
  readonly first: number
  readonly end: number
}

/** Splits a track's rows where display order starts anew. */
export function codedSequences(table: SampleTable): Sequence[] {
  const all: Sequence[] = []
  let first = 0
  for (let row = 1; row <= table.length; row++) {
    if (row < table.length && (table.flags[row] & SAMPLE_RESTART) === 0) continue
    all.push({ first, end: row })
    first = row
  }
  return all
}

/** The sequences cut at rising `rows`: pieces within which no picture was lost. */
export function parted(sequences: readonly Sequence[], rows: readonly number[]): Sequence[] {
  const pieces: Sequence[] = []
  let next = 0
  for (const { first, end } of sequences) {
    let from = first
    for (; next < rows.length && rows[next] < end; next++) {
      if (rows[next] <= from) continue
      pieces.push({ first: from, end: rows[next] })
      from = rows[next]
    }
    pieces.push({ first: from, end })
  }
  return pieces
}

/** Share of neighbours that are one step apart where the numbering counts pictures. */
const COUNTED = 0.9
/** Gaps that a recording may have where it broke off: pictures that come between its last ones were not written. */
const BROKEN_OFF = 2

/** Rows next to a hole whose neighbours in display order it may have taken. */
const EDGE = 3
/** Such gaps for each other pair, at the most. */
const EXCUSED = 1 / 2

/**
 * The step by which the order of neighbouring pictures grows, when it is a count of pictures (so that gaps are lost
 * pictures): 2 or 1 as a rule. 0 when the numbering has gaps of its own, which those next to holes are not. `pieces`: see
 * `parted`; `holeRows` are the first rows behind holes, rising.
 */
export function orderStep(
  table: SampleTable,
  pieces: readonly Sequence[],
  holeRows: readonly number[] = [],
): number {
  const differences = new Map<number, number>()
  let pairs = 0
  let excused = 0
  for (const { first, end } of pieces) {
    const atEdge = numbersNear(table, first, end, holeRows)
    const orders = table.order.slice(first, end).sort()
    let least = Number.POSITIVE_INFINITY
    for (let i = 1; i < orders.length; i++) {
      const difference = orders[i] - orders[i - 1]
      if (difference > 0) least = Math.min(least, difference)
    }
    for (let i = 1; i < orders.length; i++) {
      const difference = orders[i] - orders[i - 1]
      if (difference > least && (atEdge.has(orders[i]) || atEdge.has(orders[i - 1]))) excused++
      else {
        differences.set(difference, (differences.get(difference) ?? 0) + 1)
        pairs++
      }
    }
  }
  // more than holes explain
  if (excused > pairs * EXCUSED) pairs += excused
  for (const [difference, count] of differences) {
    if (difference > 0 && count >= pairs * COUNTED - BROKEN_OFF && count > pairs / 2) return difference
  }
  return 0
}

/** Numbers of the rows [first, end) that are next to a hole. */
function numbersNear(
  { order }: SampleTable,
  first: number,
  end: number,
  holeRows: readonly number[],
): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (let at = countBelow(holeRows, first - EDGE); at < holeRows.length && holeRows[at] < end + EDGE; at++) {
    const until = Math.min(end, holeRows[at] + EDGE)
    for (let row = Math.max(first, holeRows[at] - EDGE); row < until; row++) numbers.add(order[row])
  }
  return numbers
}

/** Share of neighbours that are whole steps apart where the numbering is a time on the grid of a rate. */
const ON_GRID = 0.98

/**
 * The commonest step of a numbering that is a time, where nearly all pictures are whole ones of it apart; 0 where they are not.
 */
export function gridStep(table: SampleTable, sequences: readonly Sequence[]): number {
  const differences = new Map<number, number>()
  for (const { first, end } of sequences) {
    const orders = table.order.slice(first, end).sort()
    for (let i = 1; i < orders.length; i++) {
      const difference = orders[i] - orders[i - 1]
      differences.set(difference, (differences.get(difference) ?? 0) + 1)
    }
  }
  const counted = [...differences]
  const [step] = counted.sort((a, b) => b[1] - a[1])[0] ?? [0]
  if (step <= 0) return 0
  const pairs = counted.reduce((sum, [, count]) => sum + count, 0)
  const whole = counted.filter(([difference]) => difference > 0 && difference % step === 0)
  return whole.reduce((sum, [, count]) => sum + count, 0) >= pairs * ON_GRID ? step : 0
}

/** Rows of one sequence in display order. */
export function displayOrder(table: SampleTable, { first, end }: Sequence): Uint32Array {
  const rows = Uint32Array.from({ length: end - first }, (_, i) => first + i)
  return rows.sort((a, b) => table.order[a] - table.order[b] || a - b)
}

/**
 * Whether numbers of pictures are left out within a piece, away from holes: something else was taken for those pictures, or
 * swallowed them.
 */
export function skipsNumbers(table: SampleTable, holeRows: readonly number[]): boolean {
  const pieces = parted(codedSequences(table), holeRows)
  const step = orderStep(table, pieces, holeRows)
  if (step === 0) return false
  return pieces.some(({ first, end }) => {
    const atEdge = numbersNear(table, first, end, holeRows)
    const orders = table.order.slice(first, end).sort()
    return orders.some(
      (order, i) => i > 0 && order - orders[i - 1] > step && !atEdge.has(order) && !atEdge.has(orders[i - 1]),
    )
  })
}

/** By how many numbers a picture comes behind one decoded before it, at the most, in pieces without a loss. */
export function reorderDepth({ order }: SampleTable, pieces: readonly Sequence[], step: number): number {
  let depth = 0
  for (const { first, end } of pieces) {
    let highest = order[first]
    for (let row = first; row < end; row++) {
      highest = Math.max(highest, order[row])
      depth = Math.max(depth, highest - order[row])
    }
  }
  return step === 0 ? 0 : depth / step
}

/** Rows by which a picture is decoded ahead of one shown before it, at the most. */
const AHEAD = 16
/** Numbers looked at in one sequence: a hostile numbering may leap by billions. */
const MOST_MISSING = 100_000

/**
 * Pictures whose numbers are missing, counted by the row behind the hole that most likely took them: the one nearest to where
 * the picture's neighbours in display order were decoded. `holeRows` are the first rows behind holes, rising; the one at row 0
 * took the recording's head, and with it pictures that come between the first ones found.
 */
export function missingPictures(
  table: SampleTable,
  sequences: readonly Sequence[],
  step: number,
  holeRows: readonly number[],
): Map<number, number> {
  const missing = new Map<number, number>()
  let nextHole = 0
  for (const sequence of sequences) {
    const isBefore = (row: number): boolean => row < sequence.first || (row === sequence.first && row > 0)
    while (nextHole < holeRows.length && isBefore(holeRows[nextHole])) nextHole++
    const holes: number[] = []
    for (let i = nextHole; i < holeRows.length && holeRows[i] <= sequence.end; i++) holes.push(holeRows[i])
    if (holes.length === 0) continue
    const rows = displayOrder(table, sequence)
    for (let i = 1; i < rows.length; i++) {
      const gap = Math.round((table.order[rows[i]] - table.order[rows[i - 1]]) / step) - 1
      if (gap <= 0 || gap > MOST_MISSING) continue
      const from = Math.min(rows[i], rows[i - 1])
      const hole = nearestHole(holes, from, Math.max(rows[i], rows[i - 1]))
      // a recording that breaks off lacks what comes between its last pictures
      if (from >= table.length - AHEAD && from - hole > AHEAD) continue
      missing.set(hole, (missing.get(hole) ?? 0) + gap)
    }
  }
  return missing
}

function nearestHole(holes: readonly number[], from: number, until: number): number {
  const distance = (row: number): number => Math.max(0, from - row, row - until)
  return holes.reduce((best, row) => (distance(row) < distance(best) ? row : best))
}
