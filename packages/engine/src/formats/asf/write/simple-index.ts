import { GUID, guidBytes } from '../read/guids.ts'
import { putLong } from './header.ts'

const HEAD = 56
const ENTRY = 6
/**
 * Entries of an index: it is as fine as they allow, since players take a key picture to be where the first entry that names it
 * is.
 */
const USUAL_ENTRIES = 50_000
/** Milliseconds between two entries: the finest, and the coarsest, as most muxers write. */
const FINEST = 10
const COARSEST = 1000
/** More are no recording's. */
const MOST_ENTRIES = 1_000_000
/** 100 ns of a millisecond. */
const TICKS = 10_000

/** Key pictures of a stream in the order of the file, with the packets they come in. */
export class KeyPictures {
  readonly times: number[] = []
  readonly packets: number[] = []
  readonly spans: number[] = []

  add(time: number, packet: number): void {
    this.times.push(time)
    this.packets.push(packet)
    this.spans.push(1)
  }

  /** The last picture reaches into this packet. */
  reach(packet: number): void {
    const last = this.packets.length - 1
    if (last >= 0) this.spans[last] = Math.max(this.spans[last], packet - this.packets[last] + 1)
  }
}

/** Milliseconds between entries of an index up to `end`. */
function intervalOf(end: number): number {
  return Math.min(COARSEST, Math.max(1, Math.ceil(end / USUAL_ENTRIES / FINEST)) * FINEST)
}

/** Entries of an index up to `end`, in milliseconds of presentation time. */
function entriesUntil(end: number): number {
  return Math.min(MOST_ENTRIES, Math.ceil(end / intervalOf(end)))
}

/** Bytes of an index, ASF Specification 01.20.05 §6.1. */
export function indexSize(end: number): number {
  return HEAD + ENTRY * entriesUntil(end)
}

/** A simple index: for every interval the packet of the last key picture before its beginning. */
export function simpleIndex(keys: KeyPictures, end: number, id: Uint8Array): Uint8Array {
  const count = entriesUntil(end)
  const bytes = new Uint8Array(HEAD + ENTRY * count)
  const view = new DataView(bytes.buffer)
  bytes.set(guidBytes(GUID.simpleIndex))
  putLong(view, 16, bytes.length)
  bytes.set(id, 24)
  const interval = intervalOf(end)
  putLong(view, 40, interval * TICKS)
  view.setUint32(48, Math.min(0xffff, Math.max(0, ...keys.spans.slice(0, 10_000))), true)
  view.setUint32(52, count, true)
  let key = 0
  for (let i = 0; i < count; i++) {
    while (key + 1 < keys.times.length && keys.times[key + 1] <= i * interval) key++
    view.setUint32(HEAD + ENTRY * i, keys.packets[key] ?? 0, true)
    view.setUint16(HEAD + ENTRY * i + 4, Math.min(0xffff, keys.spans[key] ?? 1), true)
  }
  return bytes
}
