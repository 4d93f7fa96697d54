import type { Region } from '../../../../bytes/regions.ts'
import { SAMPLE_AFTER_HOLE, SampleTable } from '../../../../model/sample-table.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** What was carved from one region outside the index, by track. */
export interface Addition {
  readonly region: Region
  readonly tables: readonly SampleTable[]
}

/** Rows of an index without bytes, between two that have theirs, and the places of units that lie between those, as many. */
interface Match {
  readonly first: number
  readonly places: readonly { readonly addition: number; readonly row: number }[]
}

/**
 * Gives back to entries of an index whose sizes or places were hit the units that were carved where their bytes must
 * be: between the same neighbours, as many, as long, and filling the regions in which they were found from the first
 * byte to the last. Those are the entries' samples, at the entries' times; what is left of the additions belongs to
 * no entry. The outcomes of the tracks count them as recovered.
 */
export function giveBackRows(
  tracks: readonly RecoveredTrack[],
  additions: readonly Addition[],
): {
  readonly tracks: RecoveredTrack[]
  readonly additions: readonly Addition[]
  /** Regions of which every unit is an entry's. */
  readonly named: readonly Region[]
} {
  const taken = additions.map(({ tables }) => tables.map(() => false))
  const given = tracks.map((track, lane) => {
    const matches = matchesOf(track, additions, lane)
    for (const { places } of matches) for (const { addition } of places) taken[addition][lane] = true
    return matches.length === 0 ? track : withRows(track, matches, additions, lane)
  })
  const rest = additions.map(({ region, tables }, i) => ({
    region,
    tables: tables.map((table, lane) => (taken[i][lane] ? new SampleTable(1) : table)),
  }))
  const isLeft = ({ tables }: Addition): boolean => tables.some(({ length }) => length > 0)
  return {
    tracks: given,
    additions: rest.filter(isLeft),
    named: rest.filter((addition) => !isLeft(addition)).map(({ region }) => region),
  }
}

function matchesOf({ plan }: RecoveredTrack, additions: readonly Addition[], lane: number): readonly Match[] {
  const { table, template } = plan
  const { samples } = template
  if (plan.descriptions || plan.rows) return []
  const filled = additions.map(({ region, tables }) => bytesOf(tables) === region.length)
  const matches: Match[] = []
  let kept = 0
  let next = 0
  for (let row = 0; row < samples.length && kept < table.length; row++) {
    if (table.dts[kept] === samples.dts[row]) {
      kept++
      continue
    }
    const first = row
    while (row < samples.length && samples.dts[row] !== table.dts[kept]) row++
    if (kept > 0 && row < samples.length) {
      const from = table.offset[kept - 1] + table.size[kept - 1]
      const until = table.offset[kept]
      while (next < additions.length && additions[next].region.offset < from) next++
      const places: { addition: number; row: number }[] = []
      let isFilled = true
      for (; next < additions.length && endOf(additions[next].region) <= until; next++) {
        const piece = additions[next].tables[lane]
        isFilled &&= filled[next] && isSingle(piece)
        for (let unit = 0; unit < piece.length; unit++) places.push({ addition: next, row: unit })
      }
      const isEvery = samples.count.subarray(first, row).every((count) => count === 1)
      const match = { first, places }
      const isAsMany = isFilled && isEvery && places.length === row - first
      if (isAsMany && tellSameTimes(samples, match, additions, lane)) matches.push(match)
    }
    kept++
  }
  return matches
}

/** Ticks by which times that were carved may differ for rounding. */
const ROUNDING = 1

/**
 * Whether entries and the units found for them go on at the same times behind the entry before, up to the one behind:
 * durations may be hit, too.
 */
function tellSameTimes(
  samples: SampleTable,
  { first, places }: Match,
  additions: readonly Addition[],
  lane: number,
): boolean {
  let time = samples.dts[first - 1] + samples.duration[first - 1]
  let shift: number | undefined
  for (const [i, { addition, row }] of places.entries()) {
    const found = additions[addition].tables[lane]
    const entry = first + i
    const late = samples.cts[entry] - found.cts[row]
    shift ??= late
    if (Math.abs(samples.dts[entry] - time) > ROUNDING || Math.abs(late - shift) > ROUNDING) return false
    time += found.duration[row]
  }
  return Math.abs(samples.dts[first + places.length] - time) <= ROUNDING
}

/** Whether every row is one unit, behind those before it in the file. */
function isSingle({ count, offset, length }: SampleTable): boolean {
  for (let row = 0; row < length; row++)
    if (count[row] !== 1 || (row > 0 && offset[row] <= offset[row - 1])) return false
  return true
}

/** The rows of a track with those that were found, in the order of its index. */
function withRows(
  track: RecoveredTrack,
  matches: readonly Match[],
  additions: readonly Addition[],
  lane: number,
): RecoveredTrack {
  const { plan, outcome } = track
  const { table } = plan
  const { samples } = plan.template
  const result = new SampleTable(table.length + matches.reduce((sum, { places }) => sum + places.length, 0))
  const push = (from: SampleTable, row: number, offset: number, size: number, flags: number): number => {
    const at = result.push(offset, size, from.count[row], from.duration[row], from.order[row], flags)
    result.dts[at] = from.dts[row]
    result.cts[at] = from.cts[row]
    return at
  }
  let next = 0
  for (let row = 0; row < table.length; row++) {
    const match =
      next < matches.length && samples.dts[matches[next].first] < table.dts[row] ? matches[next] : undefined
    if (match) {
      next++
      for (const [i, place] of match.places.entries()) {
        const found = additions[place.addition].tables[lane]
        const entry = match.first + i
        const { offset, size, flags } = found
        const at = push(
          samples,
          entry,
          offset[place.row],
          size[place.row],
          samples.flags[entry] | flags[place.row],
        )
        outcome.find(result, at)
      }
    }
    push(table, row, table.offset[row], table.size[row], table.flags[row] & (match ? ~SAMPLE_AFTER_HOLE : -1))
  }
  return { ...track, plan: { ...plan, table: result } }
}

function bytesOf(tables: readonly SampleTable[]): number {
  let sum = 0
  for (const { size, length } of tables) for (let row = 0; row < length; row++) sum += size[row]
  return sum
}

function endOf({ offset, length }: Region): number {
  return offset + length
}
