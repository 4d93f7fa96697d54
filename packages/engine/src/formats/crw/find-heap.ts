import { ByteReader } from '../../bytes/reader.ts'
import { ShiftedSource } from '../../bytes/shifted-source.ts'
import {
  HEADER_BYTES,
  type Heap,
  type Record,
  readHeap,
  recordOf,
  type Sensor,
  sensorOf,
  TAG,
} from './read.ts'

/** A heap whose front was cut away: its offsets in the damaged file, those in front of it negative. */
export interface HeadlessHeap {
  readonly heap: Heap
  readonly raw: Record
  readonly sensor: Sensor
}

/** Bytes at the end in which the directory of the whole heap is looked for. */
const LOOK = 16 * 1024
const MOST_COUNT = 64
const LONGEST = 2 ** 31

/**
 * The heap of a file that lost bytes in front: its directory stands at the end, and how far that lies from where it says tells
 * how many bytes are missing.
 */
export function headlessHeap(reader: ByteReader): HeadlessHeap | undefined {
  const said = reader.u32le(reader.size - 4)
  for (let at = Math.max(0, reader.size - LOOK); at < reader.size - 6; at++) {
    const count = reader.u16le(at)
    if (count === 0 || count > MOST_COUNT || at + 2 + count * 10 + 4 !== reader.size) continue
    // the heap begins so many bytes in front of the directory
    const start = at - said
    if (start >= HEADER_BYTES || start < -LONGEST) continue
    const missing = Math.max(0, -start)
    const moved = missing === 0 ? reader : new ByteReader(new ShiftedSource(reader.source, missing))
    const heap = readHeap(moved, start + missing, reader.size + missing)
    const raw = heap && recordOf(heap, TAG.raw)
    const sensor = heap && sensorOf(moved, heap)
    if (!heap || !raw || !sensor) continue
    return {
      heap: { ...heap, start, end: reader.size },
      raw: { ...raw, offset: raw.offset - missing },
      sensor,
    }
  }
  return undefined
}

/** The heap behind the header of a file that has foreign bytes behind it: where its own end says what its directory does. */
export function heapInFront(reader: ByteReader, start: number): Heap | undefined {
  for (let end = reader.size; end >= start + LEAST; end--) {
    const at = start + reader.u32le(end - 4)
    if (
      at < Math.max(start, end - LONGEST_DIRECTORY) ||
      at > end - LEAST ||
      at + 2 + reader.u16le(at) * 10 + 4 !== end
    )
      continue
    const heap = readHeap(reader, start, end)
    if (heap && recordOf(heap, TAG.raw)) return heap
  }
  return undefined
}

/** Largest and smallest directory, with what says where it begins. */
const LONGEST_DIRECTORY = 2 + MOST_COUNT * 10 + 4
const LEAST = 16
