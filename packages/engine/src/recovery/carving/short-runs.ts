import type { ByteReader } from '../../bytes/reader.ts'
import { pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { type Seam, seamOf } from '../../codecs/pcm/seam.ts'
import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_AFTER_HOLE, type SampleTable } from '../../model/sample-table.ts'
import type { Interleave } from '../learning/learn.ts'
import type { Hole } from './assembler.ts'
import type { Lane } from './lane.ts'

/** Share of a recording's chunks of sound that are of its usual lengths, and how many lengths are usual at the most. */
const REGULAR = 0.8
const MOST_LENGTHS = 3
/** Runs that show how long they usually are. */
const FEWEST_RUNS = 4
/** Sample frames by which a chunk may be shorter for rounding. */
const ROUNDING = 2
/** Bytes of the longest run that is listened to. */
const LONGEST = 1 << 22

/** A run of plain sound that lacks some, and where. */
interface ShortRun extends Seam {
  readonly row: number
}

/**
 * Parts the runs of plain sound that lack some: where all chunks are of one length, a shorter one that lies whole between two
 * units lost what it is shorter by. It is parted where the sound breaks off, in its middle where that cannot be heard.
 * @returns the holes given, counting the rows as they are now, and one of no bytes for each run parted
 */
export function partShortRuns(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  holes: readonly Hole[],
): { readonly holes: readonly Hole[]; readonly parted: readonly Hole[] } {
  const [lane, ...more] = lanes.filter(({ description }) => description.blockAlign !== undefined)
  const layout = lane && more.length === 0 ? pcmLayoutOf(lane.description) : undefined
  const rows = layout ? shortRows(lane, interleave, holes) : []
  if (!layout || rows.length === 0) return { holes, parted: [] }
  const { table, index } = lane
  const runs = rows.map((row) => ({
    row,
    ...seamOf(layout, reader.bytes(table.offset[row], table.size[row])),
  }))
  const seams = runs.map(({ row, frame }) => table.offset[row] + frame * layout.blockAlign)
  partRows(table, runs, layout.blockAlign)
  const parted = seams.map((offset, i): Hole => {
    const before = lanes.map(({ table: other }) => countBelow(other.offset, offset, other.length))
    return { offset, length: 0, rows: before, ...(runs[i].clear ? {} : { unplaced: true as const }) }
  })
  const moved = holes.map((hole) => ({
    ...hole,
    rows: hole.rows.map((row, i) => (i === index ? row + countBelow(rows, row) : row)),
  }))
  return { holes: moved, parted }
}

/** Rows of a lane of plain sound that are shorter than all are as a rule, though nothing beside them is damaged. */
function shortRows(
  { table, index, description: { blockAlign = 1 } }: Lane,
  { patterns }: Interleave,
  holes: readonly Hole[],
): number[] {
  const usual = new Set(
    patterns
      .filter(({ pieces, count }) => pieces.length === 1 && count > 1)
      .flatMap(({ pieces: [piece] }) => (piece.lane === index ? [piece.bytes] : [])),
  )
  if (usual.size === 0 || usual.size > MOST_LENGTHS || table.length < FEWEST_RUNS) return []
  const regular = table.size.subarray(0, table.length).filter((size) => usual.has(size)).length
  if (regular < table.length * REGULAR) return []
  const least = Math.min(...usual) - ROUNDING * blockAlign
  const edges = new Set(holes.flatMap(({ offset, length }) => [offset, offset + length]))
  const rows: number[] = []
  // the last chunk ends with the recording
  for (let row = 0; row + 1 < table.length; row++) {
    if (table.size[row] >= least || table.size[row] > LONGEST) continue
    const end = table.offset[row] + table.size[row]
    if (!edges.has(table.offset[row]) && !edges.has(end) && table.offset[row + 1] !== end) rows.push(row)
  }
  return rows
}

/** Parts rows of a table in two; rows of `runs` rise. */
function partRows(table: SampleTable, runs: readonly ShortRun[], blockAlign: number): void {
  const { offset, size, count, duration, order, flags } = copyOf(table, runs[0].row)
  const first = runs[0].row
  let next = 0
  const rows = table.length
  table.truncate(first)
  for (let row = first; row < rows; row++) {
    const at = row - first
    if (runs[next]?.row !== row) {
      table.push(offset[at], size[at], count[at], duration[at], order[at], flags[at])
      continue
    }
    const { frame } = runs[next++]
    const each = duration[at] / count[at]
    const bytes = frame * blockAlign
    table.push(offset[at], bytes, frame, frame * each, order[at], flags[at])
    const left = count[at] - frame
    table.push(
      offset[at] + bytes,
      size[at] - bytes,
      left,
      left * each,
      order[at],
      flags[at] | SAMPLE_AFTER_HOLE,
    )
  }
}

/** The columns of a table from a row on. */
function copyOf(
  table: SampleTable,
  from: number,
): Pick<SampleTable, 'offset' | 'size' | 'count' | 'duration' | 'order' | 'flags'> {
  const { offset, size, count, duration, order, flags, length } = table
  return {
    offset: offset.slice(from, length),
    size: size.slice(from, length),
    count: count.slice(from, length),
    duration: duration.slice(from, length),
    order: order.slice(from, length),
    flags: flags.slice(from, length),
  }
}
