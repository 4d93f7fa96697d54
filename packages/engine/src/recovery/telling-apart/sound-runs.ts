import type { Region } from '../../bytes/regions.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { inFileOrder } from '../learning/rows-by-place.ts'

/**
 * Units of sound that join between units of other tracks, nothing missing: where they lie, how large they are, in their order.
 */
export interface SoundRun {
  readonly offset: readonly number[]
  readonly size: readonly number[]
  /** Pictures between the run before and this one. */
  readonly pictures: number
}

/**
 * The runs of the tables `sounds` between rows of the `others`, the first of which is the pictures', where neither a hole nor the
 * file's end may have taken a part.
 */
export function soundRuns(others: readonly SampleTable[], sounds: readonly SampleTable[]): SoundRun[] {
  const tables = [...others, ...sounds]
  const runs: SoundRun[] = []
  let run: { offset: number[]; size: number[]; pictures: number } | undefined
  let end = -1
  let pictures = 0
  let isJoined = false
  inFileOrder(tables, (lane, row) => {
    const offset = tables[lane].offset[row]
    const size = tables[lane].size[row]
    const joins = offset === end
    if (!joins) run = undefined
    if (lane >= others.length) {
      if (!run && joins && isJoined) run = { offset: [], size: [], pictures }
      run?.offset.push(offset)
      run?.size.push(size)
      pictures = 0
      isJoined = false
    } else {
      if (run) runs.push(run)
      run = undefined
      isJoined = true
      if (lane === 0) pictures++
    }
    end = offset + size
  })
  return runs
}

/** Most tracks that are told apart. */
export const MOST_TRACKS = 8
/** Runs that tell, and the share of them that hits may have changed. */
const FEWEST_RUNS = 12
const HIT = 0.02
/** Share of runs of another length from which on it is no accident what all of them can be divided by. */
const VARIED = 0.08

/** By what the lengths of runs can be divided. */
export interface Step {
  /** As many tracks of one rate, which are written in turn, may be there at most: each run holds as much of all of them. */
  readonly most: number
  /**
   * Fewer tracks would not always come out even: runs are of several lengths, or pictures come oftener than they and not evenly.
   */
  readonly sure: boolean
}

/** How many tracks in step the runs may hold; undefined where they are too few to tell. */
export function stepOf(runs: readonly SoundRun[]): Step | undefined {
  if (runs.length < FEWEST_RUNS) return undefined
  const lengths = runs.map(({ size }) => size.length)
  let most = 1
  for (let tracks = 2; tracks <= MOST_TRACKS; tracks++)
    if (lengths.filter((length) => length % tracks === 0).length >= lengths.length * (1 - HIT)) most = tracks
  const usual = middle(lengths)
  const between = runs.slice(1).map(({ pictures }) => pictures)
  const paced = middle(between)
  const longer = lengths.filter((length) => length !== usual && length % most === 0).length
  const wider = usual === most ? between.filter((pictures) => pictures !== paced).length : 0
  return { most, sure: Math.max(longer, wider) >= lengths.length * VARIED }
}

/** Runs and pictures between them by which whole shares of each track, rather than single units in turn, are usual. */
const SHARE = 2

/**
 * Deals runs of `tracks` tracks in step to these tracks: in turn, or each one's share in one piece where pictures come several at
 * a time, too. What the tracks' units are like decides where their sizes show it.
 */
export function dealRuns(runs: readonly SoundRun[], tracks: number): Region[][] {
  const whole = runs.filter(({ size }) => size.length % tracks === 0)
  const share = middle(whole.map(({ size }) => size.length)) / tracks
  const inShares = share >= SHARE && middle(whole.map(({ pictures }) => pictures)) >= SHARE
  const inTurn = dealt(whole, tracks, (unit) => unit % tracks)
  if (share < SHARE) return inTurn
  const shares = dealt(whole, tracks, (unit, units) => Math.floor(unit / (units / tracks)))
  const gain = unrest(inTurn) / unrest(shares)
  if (gain > CLEARLY) return shares
  if (gain < 1 / CLEARLY) return inTurn
  return inShares ? shares : inTurn
}

/** Times by which sizes change less within the tracks of one deal than of another. */
const CLEARLY = 1.15

function dealt(
  runs: readonly SoundRun[],
  tracks: number,
  trackOf: (unit: number, units: number) => number,
): Region[][] {
  const deal: Region[][] = Array.from({ length: tracks }, () => [])
  for (const { offset, size } of runs)
    for (let unit = 0; unit < size.length; unit++)
      deal[trackOf(unit, size.length)].push({ offset: offset[unit], length: size[unit] })
  return deal
}

/** A table of units that follow each other in time, `ticks` long each. */
export function dealtTable(units: readonly Region[], ticks: number): SampleTable {
  const table = new SampleTable(Math.max(1, units.length))
  for (const [row, { offset, length }] of units.entries()) {
    table.push(offset, length, 1, ticks, row, 0)
    table.dts[row] = row * ticks
  }
  return table
}

/** The rows of several tables by rising offset, `ticks` long each. */
export function together(tables: readonly SampleTable[], ticks = 1): SampleTable {
  const rows = tables
    .flatMap(({ offset, size, length }) =>
      Array.from({ length }, (_, row) => ({ offset: offset[row], length: size[row] })),
    )
    .sort((a, b) => a.offset - b.offset)
  return dealtTable(rows, ticks)
}

/** How much sizes change from one unit of a track to its next, on a logarithmic scale. */
function unrest(deal: readonly (readonly Region[])[]): number {
  let sum = Number.MIN_VALUE
  for (const units of deal)
    for (let i = 1; i < units.length; i++) sum += Math.abs(Math.log(units[i].length / units[i - 1].length))
  return sum
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
