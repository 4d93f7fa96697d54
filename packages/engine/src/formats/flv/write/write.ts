import { PlannedPlaces } from '../../../bytes/foresight.ts'
import { RangeWriter, type ResultWriter } from '../../../bytes/range-writer.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { type ByteSink, endAhead } from '../../../bytes/sink.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { delayOf } from '../length.ts'
import type { KeptProperty } from '../metadata/read.ts'
import { type Facts, writeMetadata } from '../metadata/write.ts'
import { DELAY_BYTES, delayPlace } from '../read/media-header.ts'
import { FILE_START } from '../read/scan.ts'
import {
  type AUDIO,
  CONFIG,
  DROPPED,
  EMPTY,
  KEY,
  NEW_HEADER,
  NEW_TRAILER,
  SCRIPT,
  TAG_HEADER,
  type TagTable,
  TORN,
  TRAILER,
  VIDEO,
} from '../read/tag-table.ts'

/** Key pictures in an index: more make no player faster. */
const MOST_KEYS = 65_536
/** Rows between two breaks for others. */
const ROWS_A_TURN = 65_536

/** A tag that is not in the damaged file. */
export interface NewTag {
  readonly kind: number
  /** Milliseconds. */
  readonly time: number
  readonly data: Uint8Array
}

export interface WritePlan {
  readonly table: TagTable
  readonly kept: readonly KeptProperty[]
  /** Tags to stand in front of all others. */
  readonly front: readonly NewTag[]
  /** Seconds the recording lasts. */
  readonly duration: number
  readonly facts: Omit<Facts, 'duration' | 'times'>
}

/** Writes a whole file: header, metadata with an index of key pictures, then all tags in their order. */
export async function writeFile(
  plan: WritePlan,
  reader: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  await endAhead(sink)
  await write(plan, reader, (size) => new RangeWriter(reader, sink, monitor, size), monitor)
}

/** Tells the sink where the tags would come to lie if the file were written as far as is known. */
export async function foretellFile(
  plan: WritePlan,
  reader: ByteReader,
  sink: ByteSink,
  monitor: Monitor,
): Promise<void> {
  const places = PlannedPlaces.of(sink, reader.source)
  if (places) await write(plan, reader, () => places, monitor)
}

/** `open` is given the bytes of the whole file. */
async function write(
  plan: WritePlan,
  reader: ByteReader,
  open: (size: number) => ResultWriter,
  monitor: Monitor,
): Promise<void> {
  const { table, facts } = plan
  const keys = keyRows(table)
  // when they are shown, so that a seek to a moment before lands on the one before
  const times = keys.map((row) => (table.time[row] + delayOf(table, row)) / 1000)
  const about = { ...facts, duration: plan.duration, times }
  const draft = writeMetadata(plan.kept, about, { fileSize: 0, positions: times })
  let start = FILE_START + tagSize(draft.length)
  for (const { data } of plan.front) start += tagSize(data.length)
  const { positions, end } = await placesOf(table, keys, start, monitor)
  const metadata = writeMetadata(plan.kept, about, { fileSize: end, positions })

  const writer = open(end)
  const flags = (facts.hasAudio ? 4 : 0) | (facts.hasVideo ? 1 : 0)
  writer.write(Uint8Array.of(0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0))
  for (const tag of [{ kind: SCRIPT, time: 0, data: metadata }, ...plan.front]) {
    writer.write(header(tag.kind, tag.data.length, tag.time))
    writer.write(tag.data)
    writer.write(trailer(tag.data.length))
  }
  await writeTags(table, reader, writer)
  await writer.end()
}

function tagSize(data: number): number {
  return TAG_HEADER + data + TRAILER
}

/** Rows play can start at: key pictures, thinned out where there are too many. */
function keyRows(table: TagTable): number[] {
  const isKey = (row: number): boolean =>
    table.kind[row] === VIDEO && (table.flags[row] & (KEY | CONFIG | EMPTY | DROPPED | TORN)) === KEY
  let count = 0
  for (let row = 0; row < table.length; row++) if (isKey(row)) count++
  const every = Math.max(1, Math.ceil(count / MOST_KEYS))
  const rows: number[] = []
  let seen = 0
  for (let row = 0; row < table.length; row++) if (isKey(row) && seen++ % every === 0) rows.push(row)
  return rows
}

async function placesOf(
  table: TagTable,
  keys: readonly number[],
  start: number,
  monitor: Monitor,
): Promise<{ positions: number[]; end: number }> {
  const positions: number[] = []
  let at = start
  let next = 0
  for (let row = 0; row < table.length; row++) {
    if (row % ROWS_A_TURN === 0) await monitor.pause()
    if (keys[next] === row) {
      positions.push(at)
      next++
    }
    if ((table.flags[row] & DROPPED) === 0) at += tagSize(table.size[row])
  }
  return { positions, end: at }
}

async function writeTags(table: TagTable, reader: ByteReader, writer: ResultWriter): Promise<void> {
  const { flags, offset, size } = table
  for (let row = 0; row < table.length; ) {
    if (flags[row] & DROPPED) {
      row++
      continue
    }
    if ((flags[row] & (NEW_HEADER | NEW_TRAILER)) === 0) {
      // tags that join and stay as they are go in one piece
      const from = offset[row]
      let end = from
      while (
        row < table.length &&
        offset[row] === end &&
        (flags[row] & (DROPPED | NEW_HEADER | NEW_TRAILER)) === 0
      )
        end = table.end(row++)
      await writer.copy(from, end - from)
      continue
    }
    writer.write(header(table.kind[row], size[row], table.time[row]))
    const there = flags[row] & TORN ? Math.min(size[row], tornBytes(table, row)) : size[row]
    await copyData(table, reader, writer, row, there)
    await writer.fill(0, size[row] - there)
    writer.write(trailer(size[row]))
    row++
  }
}

/** Copies the first `length` bytes of a tag's data, with the delay that it has now. */
async function copyData(
  table: TagTable,
  reader: ByteReader,
  writer: ResultWriter,
  row: number,
  length: number,
): Promise<void> {
  const data = table.offset[row] + TAG_HEADER
  const delay = table.delay[row]
  const before = delayPlace(table.kind[row], table.codecName(row), reader.u8(data))
  if (before < 0 || before + DELAY_BYTES > length) {
    await writer.copy(data, length)
    return
  }
  await writer.copy(data, before)
  writer.write(Uint8Array.of((delay >> 16) & 255, (delay >> 8) & 255, delay & 255))
  await writer.copy(data + before + DELAY_BYTES, length - before - DELAY_BYTES)
}

/** Bytes between a torn tag's header and the next tag, less the size that stands before that. */
function tornBytes(table: TagTable, row: number): number {
  if (row + 1 >= table.length) return table.size[row]
  return Math.max(0, table.offset[row + 1] - TRAILER - table.offset[row] - TAG_HEADER)
}

function header(kind: number, size: number, time: number): Uint8Array {
  const at = Math.max(0, Math.round(time)) % 2 ** 32
  return Uint8Array.of(
    kind,
    ...[size >> 16, (size >> 8) & 255, size & 255],
    ...[(at >>> 16) & 255, (at >>> 8) & 255, at & 255, Math.floor(at / 2 ** 24)],
    ...[0, 0, 0],
  )
}

function trailer(size: number): Uint8Array {
  const all = size + TAG_HEADER
  return Uint8Array.of(all >>> 24, (all >> 16) & 255, (all >> 8) & 255, all & 255)
}

/** Kinds in words of the file header's flags. */
export function hasKind(table: TagTable, kind: typeof AUDIO | typeof VIDEO): boolean {
  for (let row = 0; row < table.length; row++)
    if (table.kind[row] === kind && (table.flags[row] & DROPPED) === 0) return true
  return false
}
