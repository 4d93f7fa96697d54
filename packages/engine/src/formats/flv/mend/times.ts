import { usualWholeStep } from '../../../recording/usual-step.ts'
import { AUDIO, CONFIG, EMPTY, ESTIMATED, NEW_HEADER, type TagTable, VIDEO } from '../read/tag-table.ts'

/** Steps between neighbours beyond this many milliseconds are pauses. */
const LONGEST_STEP = 1000
/** Milliseconds by which times may go back where sound and pictures take turns. */
const INTERLEAVE = 5_000
/** Tags that have to agree on times beginning anew. */
const AGREEING = 4
/** Milliseconds after which clocks that write 24 or 32 bits begin anew. */
const WRAPS = [2 ** 24, 2 ** 32]
/** What the times of tags count to, Adobe Flash Video File Format Specification 10.1 §E.4.1. */
const TIMES = 2 ** 32
/** Share of a usual step by which a time may be off its place before it is taken for hit. */
const TOLERANCE = 0.6

export interface MendedTimes {
  /** Times that were put between their neighbours'. */
  readonly mended: number
  /** Of them those whose neighbours leave it open where. */
  readonly estimated: number
  /** Times after which the clock began anew. */
  readonly jumps: number
  /** Usual milliseconds between tags, by kind. */
  readonly steps: ReadonlyMap<number, number>
}

/**
 * Puts times right that were hit, and makes clocks go on that began anew, from zero where they would go too far.
 * Tags whose time changes get a header of their own.
 */
export function mendTimes(table: TagTable): MendedTimes {
  const jumps = joinClocks(table)
  const steps = new Map<number, number>()
  let mended = 0
  let estimated = 0
  for (const kind of [AUDIO, VIDEO]) {
    const rows = rowsOf(table, kind)
    const step = usualWholeStep(table.time, rows, LONGEST_STEP)
    steps.set(kind, step)
    for (let i = 0; i < rows.length; i++) {
      const found = mendTime(table, rows, i, step)
      if (found === undefined) continue
      table.time[rows[i]] = found.time
      table.flags[rows[i]] |= NEW_HEADER | (found.sure ? 0 : ESTIMATED)
      mended++
      if (!found.sure) estimated++
    }
  }
  startWithinRange(table)
  return { mended, estimated, jumps, steps }
}

/** Rows of one kind that carry something to decode. */
export function rowsOf(table: TagTable, kind: number): Uint32Array {
  const rows = new Uint32Array(table.length)
  let count = 0
  for (let row = 0; row < table.length; row++)
    if (table.kind[row] === kind && (table.flags[row] & (CONFIG | EMPTY)) === 0) rows[count++] = row
  return rows.subarray(0, count)
}

/** A better time for the tag `rows[i]`, where its neighbours agree with each other and not with it. */
function mendTime(
  table: TagTable,
  rows: Uint32Array,
  i: number,
  step: number,
): { readonly time: number; readonly sure: boolean } | undefined {
  if (step === 0 || rows.length < 4) return undefined
  const time = table.time[rows[i]]
  const at = (j: number): number => table.time[rows[j]]
  const slack = Math.max(TOLERANCE * step, 3)
  if (i === 0) {
    const next = at(1)
    const regular = Math.abs(at(2) - next - step) <= slack
    const apart = next - time
    return regular && (apart < -slack || apart > INTERLEAVE)
      ? { time: Math.max(0, next - step), sure: false }
      : undefined
  }
  const before = at(i - 1)
  if (i === rows.length - 1) {
    const apart = time - before
    const regular = Math.abs(before - at(i - 2) - step) <= slack
    return regular && (apart < -slack || apart > INTERLEAVE)
      ? { time: before + step, sure: false }
      : undefined
  }
  const after = at(i + 1)
  const span = after - before
  if (span < 0 || span > INTERLEAVE) return undefined
  if (time >= before - slack && time <= after + slack) return undefined
  return { time: Math.round((before + after) / 2), sure: Math.abs(span - 2 * step) <= 2 * slack }
}

/** Adds what is missing to times behind a place where the clock began anew. Returns how many there are. */
function joinClocks(table: TagTable): number {
  let jumps = 0
  let shift = 0
  let latest = -1
  for (let row = 0; row < table.length; row++) {
    if (shift !== 0) {
      table.time[row] += shift
      table.flags[row] |= NEW_HEADER
    }
    if (!isMedia(table, row)) continue
    const time = table.time[row]
    if (latest >= 0 && time < latest - INTERLEAVE && agree(table, row, shift, latest)) {
      const wrap = WRAPS.find((span) => Math.abs(time + span - latest) < INTERLEAVE)
      const more = wrap ?? latest - time
      shift += more
      table.time[row] += more
      table.flags[row] |= NEW_HEADER
      jumps++
    }
    // one time that was hit must not make all others late
    if (latest < 0 || table.time[row] < latest + INTERLEAVE || follows(table, row, shift))
      latest = Math.max(latest, table.time[row])
  }
  return jumps
}

/** Makes a recording begin at zero whose last times are beyond what tags hold. */
function startWithinRange(table: TagTable): void {
  let first = Infinity
  let last = 0
  for (let row = 0; row < table.length; row++) {
    if (!isMedia(table, row)) continue
    first = Math.min(first, table.time[row])
    last = Math.max(last, table.time[row])
  }
  if (last < TIMES) return
  for (let row = 0; row < table.length; row++) {
    table.time[row] = Math.max(0, table.time[row] - first)
    table.flags[row] |= NEW_HEADER
  }
}

function isMedia(table: TagTable, row: number): boolean {
  return table.kind[row] <= VIDEO && (table.flags[row] & (CONFIG | EMPTY)) === 0
}

/** Whether the next tags, too, lie far before `latest`, near this one. */
function agree(table: TagTable, row: number, shift: number, latest: number): boolean {
  const time = table.time[row]
  let seen = 0
  for (let next = row + 1; next < table.length && seen < AGREEING; next++) {
    if (!isMedia(table, next)) continue
    const other = table.time[next] + shift
    if (other >= latest - INTERLEAVE || Math.abs(other - time) > INTERLEAVE) return false
    seen++
  }
  return seen > 0
}

/** Whether the next tag's time is near this one's. */
function follows(table: TagTable, row: number, shift: number): boolean {
  for (let next = row + 1; next < table.length; next++)
    if (isMedia(table, next)) return Math.abs(table.time[next] + shift - table.time[row]) < INTERLEAVE
  return false
}
