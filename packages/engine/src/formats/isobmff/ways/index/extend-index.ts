import { mergeRegions, type Region, subtractRegions } from '../../../../bytes/regions.ts'
import { countBelow } from '../../../../model/bisect.ts'
import { SAMPLE_ESTIMATED, SampleTable } from '../../../../model/sample-table.ts'
import { explainsAll, measureUnexplained } from '../../../../recording/judge/unexplained.ts'
import { type CarvedBy, carve } from '../../../../recovery/carve.ts'
import type { Interleave } from '../../../../recovery/learning/learn.ts'
import type { RepairJob } from '../../../format.ts'
import type { HeldIndex } from '../../assess.ts'
import { followsMediaHeader } from '../../boxes/mdat.ts'
import type { FileReading } from '../../read/read.ts'
import { type Addition, giveBackRows } from './found-rows.ts'
import { type Delay, delaysBehind } from './fragment-starts.ts'
import { goesOn } from './goes-on.ts'
import type { RecoveredTrack } from './surviving-index.ts'

/** Least bytes between fragments worth carving: less holds no picture. */
const MINIMUM = 256
/** Regions carved one by one; beyond, the largest are taken. */
const MAX_REGIONS = 64

/** Tracks with further units found outside their index. */
export interface Extension {
  readonly tracks: RecoveredTrack[]
  readonly added: number
  /** Bytes of the regions in which something may be that was not found. */
  readonly unexplained: number
  /** Where some of what was found ends was not proved. */
  readonly endsEstimated: boolean
  /** Regions that hold samples of entries that were hit, and nothing else. */
  readonly named: readonly Region[]
}

/**
 * Carves payload that the index does not cover: behind its end, and between fragments where one was lost. The indexed
 * part of the same file is what carving learns from. Undefined when there is no such payload or nothing is in it.
 */
export async function extendIndex(
  job: RepairJob,
  reading: FileReading,
  index: HeldIndex,
  tracks: readonly RecoveredTrack[],
): Promise<Extension | undefined> {
  const regions = uncovered(reading, index, tracks)
  if (regions.length === 0) return undefined
  const { reader } = job.damaged
  const teachers = tracks.map((track) => ({
    description: track.plan.template.description,
    table: track.plan.table,
  }))
  const startsMedia = (offset: number): boolean => followsMediaHeader(reader, offset)
  const found: Addition[] = []
  let added = 0
  let unexplained = 0
  let endsEstimated = false
  const untimed = new Set<number>()
  let interleave: Interleave | undefined
  for (const region of regions) {
    const carved: CarvedBy = await carve({
      reader,
      regions: [region],
      sample: { reader, tracks: teachers, interleave },
      limits: job.limits,
      monitor: job.monitor,
    })
    interleave = carved.interleave
    endsEstimated ||= carved.endsEstimated
    const rows = carved.tracks.reduce((sum, track) => sum + track.table.length, 0)
    if (rows === 0 || !explainsAll(measureUnexplained(reader, carved, startsMedia), [region]))
      unexplained += region.length
    if (rows > 0) {
      for (const [lane, { table, times }] of carved.tracks.entries()) {
        for (let row = 0; row < table.length; row++) table.dts[row] += times.startDelay
        if (times.untimed && table.length > 0) untimed.add(lane)
      }
      found.push({ region, tables: carved.tracks.map((track) => track.table) })
    }
    added += rows
  }
  if (added === 0) return undefined
  const given = giveBackRows(tracks, found)
  const { additions, named } = given
  if (additions.length === 0) return { tracks: given.tracks, added, unexplained, endsEstimated, named }
  const late = secondsBefore(given.tracks, additions)
  const delays = delaysBehind(
    given.tracks,
    additions.map(({ region, tables }) => ({ offset: region.offset, tables })),
  )
  const merged = given.tracks.map((track, lane) => {
    const pieces = additions.map(({ region, tables }) => ({ region, table: tables[lane] }))
    for (const { table } of pieces) {
      for (let row = 0; row < table.length; row++)
        track.outcome.add('recovered', table, row, table.offset[row], 'carved')
    }
    const { descriptions: _, ...plan } = track.plan
    const { timescale } = plan.template.description
    const ticks = Math.round(late * timescale)
    return {
      ...track,
      estimated: true,
      ...(untimed.has(lane) ? { timesDoubtful: true as const } : {}),
      plan: {
        ...plan,
        table: insert(behindDelays(track.plan.table, delays, timescale), pieces, ticks),
        grown: true,
      },
    }
  })
  return { tracks: merged, added, unexplained, endsEstimated, named }
}

/** Payload to carve: behind the index, and for fragments everything they do not cover. */
function uncovered(reading: FileReading, index: HeldIndex, tracks: readonly RecoveredTrack[]): Region[] {
  if (reading.fragments.length === 0) return [...index.unindexed]
  const taken: Region[] = []
  for (const { plan } of tracks) {
    for (let row = 0; row < plan.table.length; row++)
      taken.push({ offset: plan.table.offset[row], length: plan.table.size[row] })
  }
  return subtractRegions(reading.survey.payload, mergeRegions(taken))
    .filter((region) => region.length >= MINIMUM)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_REGIONS)
    .sort((a, b) => a.offset - b.offset)
}

/** Seconds that units found before all indexed ones take: another recording, after whose end this one starts. */
function secondsBefore(
  tracks: readonly RecoveredTrack[],
  additions: readonly { region: Region; tables: readonly SampleTable[] }[],
): number {
  const first = Math.min(...tracks.map(({ plan }) => plan.table.offset[0]))
  const late = tracks.map(({ plan }, lane) => {
    let ticks = 0
    for (const { region, tables } of additions) {
      const piece = tables[lane]
      if (region.offset >= first || piece.length === 0) continue
      ticks += piece.dts[piece.length - 1] + piece.duration[piece.length - 1]
    }
    return ticks / plan.template.description.timescale
  })
  return Math.max(0, ...late)
}

/** The rows of a table with what lies behind each of some places as late as was found; times in ticks of `timescale`. */
function behindDelays(table: SampleTable, delays: readonly Delay[], timescale: number): SampleTable {
  for (const { offset, seconds, settled } of delays) {
    const first = countBelow(table.offset, offset, table.length)
    if (settled && first < table.length) table.flags[first] &= ~SAMPLE_ESTIMATED
    for (let row = first; row < table.length; row++) table.dts[row] += Math.round(seconds * timescale)
  }
  return table
}

/**
 * The rows of `table` with each piece put in where it lies in the file; its times go on from the row before it.
 * @param late ticks by which the rows of `table` start later than they say
 */
function insert(
  table: SampleTable,
  pieces: readonly { region: Region; table: SampleTable }[],
  late: number,
): SampleTable {
  const result = new SampleTable(
    table.length + pieces.reduce((sum, piece) => sum + piece.table.length, 0) + 1,
  )
  const copy = (from: SampleTable, row: number, base: number): void => {
    const at = result.push(
      from.offset[row],
      from.size[row],
      from.count[row],
      from.duration[row],
      from.order[row],
      from.flags[row],
    )
    result.dts[at] = base + from.dts[row]
    result.cts[at] = from.cts[row]
  }
  let next = 0
  const put = (until: number): void => {
    for (; next < pieces.length && pieces[next].region.offset <= until; next++) {
      const piece = pieces[next].table
      const last = result.length - 1
      const base = last < 0 ? 0 : result.dts[last] + result.duration[last]
      const from = result.length
      for (let row = 0; row < piece.length; row++) copy(piece, row, base)
      // Each piece counts its own composition delay: its first picture goes on behind those before it, or waits as the index's
      // first does.
      const shown = goesOn(result, from)
      const first = firstShown(result, from)
      const wanted = shown < 0 ? result.dts[from] + firstShown(table, 0) - table.dts[0] : shown
      const late = from === result.length || table.length === 0 ? 0 : first - wanted
      for (let row = from; row < result.length; row++) result.cts[row] -= late
    }
  }
  for (let row = 0; row < table.length; row++) {
    put(table.offset[row])
    copy(table, row, late)
  }
  put(Number.POSITIVE_INFINITY)
  return result
}

/** Rows among which the first shown picture is. */
const REORDERING = 64

/** Smallest composition time from row `from` on. */
function firstShown(table: SampleTable, from: number): number {
  let first = Number.POSITIVE_INFINITY
  for (let row = from; row < Math.min(table.length, from + REORDERING); row++) {
    first = Math.min(first, table.dts[row] + table.cts[row])
  }
  return Number.isFinite(first) ? first : 0
}
