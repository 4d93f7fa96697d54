import type { SampleTable } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import { Leads } from '../learning/leads.ts'
import { inFileOrder } from '../learning/rows-by-place.ts'
import { Turns } from './turns.ts'

/** Run starts measured in a stretch: enough for a median. */
const LEADS = 24

/** A stretch of the file between two holes, as seen by each lane. */
export interface Segment {
  /** The hole before it, absent for a recording that begins undamaged. */
  readonly hole: Hole | undefined
  /** First row of each lane in it. */
  readonly firstRow: number[]
  /** Seconds each lane advances in it, losses apart. */
  readonly advance: number[]
  /**
   * Per lane: by how many seconds the lane had advanced more than the reference lane, from the segment's start,
   * where its runs begin.
   */
  readonly leads: readonly Leads[]
  /** How sound and pictures take turns in it, by clocks that start at its start. */
  readonly turns: Turns
}

/** Cuts the recovered rows at the holes and measures how the lanes interleave between them. */
export function segments(
  tables: readonly SampleTable[],
  seconds: (lane: number, row: number) => number,
  holes: readonly Hole[],
  reference: number,
  sound: number,
): Segment[] {
  const open = (hole: Hole | undefined, firstRow: number[]): Segment => ({
    hole,
    firstRow,
    advance: tables.map(() => 0),
    leads: tables.map(() => new Leads(LEADS)),
    turns: new Turns(),
  })
  const all: Segment[] = []
  const seen = tables.map(() => 0)
  let current = open(
    undefined,
    tables.map(() => 0),
  )
  let nextHole = 0
  let lastLane = -1
  inFileOrder(tables, (lane, row) => {
    while (nextHole < holes.length && holes[nextHole].offset <= tables[lane].offset[row]) {
      // holes without a unit between them are one
      const empty = current.advance.every((advance) => advance === 0)
      if (!empty) all.push(current)
      const joined = empty && current.hole ? join(current.hole, holes[nextHole]) : holes[nextHole]
      current = open(joined, [...seen])
      nextHole++
      lastLane = -1
    }
    if (lane !== lastLane && lane !== reference) {
      const { advance, leads } = current
      leads[lane].add(advance[lane] - advance[reference], advance[reference] > 0)
    }
    const start = current.advance[lane]
    current.advance[lane] += seconds(lane, row)
    if (lane === reference) current.turns.picture(start, current.advance[lane])
    else if (lane === sound) {
      // a run of sample frames right behind a hole may have lost its beginning
      const whole = start > 0 || tables[lane].count[row] === 1 || current.hole === undefined
      current.turns.soundUnit(start, current.advance[lane], whole)
    }
    seen[lane] = row + 1
    lastLane = lane
  })
  all.push(current)
  return all
}

function join(first: Hole, second: Hole): Hole {
  return { offset: first.offset, length: second.offset + second.length - first.offset, rows: first.rows }
}
