import { COMPRESSED, DROPPED, OBJECT_START, type PayloadTable } from './packet-table.ts'

/** Streams are numbered from 1 to 127. */
const MOST_STREAMS = 128
/** Broken objects of which it is kept when they were. */
const MOST_LOST = 100_000

/** Media objects of one stream. */
export interface MediaObjects {
  /** Those that are whole. */
  whole: number
  /** Those of which a part is missing. */
  broken: number
  /** First payloads of the first and the last whole one. */
  firstWhole: number
  lastWhole: number
  /** Presentation times of broken ones, their first payload, and the bytes that they lack. */
  readonly lost: { readonly time: number; readonly row: number; readonly missing: number }[]
}

/** An object whose parts are being put together. */
class OpenObject {
  readonly rows: number[] = []
  filled = 0
  hurt = false
}

/** Puts the payloads of all streams together; leaves out those whose media object is not whole, which no player can use. */
export function joinObjects(payloads: PayloadTable): ReadonlyMap<number, MediaObjects> {
  const streams = new Map<number, MediaObjects>()
  const open = Array.from({ length: MOST_STREAMS }, () => new OpenObject())
  const close = (stream: number, objects: MediaObjects): void => {
    const object = open[stream]
    const first = object.rows.at(0)
    if (first === undefined) return
    if (!object.hurt && object.filled === payloads.objectSize[first]) {
      payloads.flags[first] |= OBJECT_START
      note(objects, first)
    } else {
      for (const row of object.rows) payloads.flags[row] |= DROPPED
      objects.broken++
      if (objects.lost.length < MOST_LOST)
        objects.lost.push({
          time: payloads.time[first],
          row: first,
          missing: payloads.objectSize[first] - object.filled,
        })
    }
    object.rows.length = 0
    object.filled = 0
    object.hurt = false
  }
  for (let row = 0; row < payloads.length; row++) {
    const stream = payloads.stream[row]
    let objects = streams.get(stream)
    if (!objects) {
      objects = { whole: 0, broken: 0, firstWhole: -1, lastWhole: -1, lost: [] }
      streams.set(stream, objects)
    }
    if (payloads.flags[row] & COMPRESSED) {
      close(stream, objects)
      payloads.flags[row] |= OBJECT_START
      note(objects, row)
      continue
    }
    const object = open[stream]
    const first = object.rows.at(0)
    const same =
      first !== undefined &&
      payloads.number[row] === payloads.number[first] &&
      payloads.objectSize[row] === payloads.objectSize[first]
    if (!same) close(stream, objects)
    if (payloads.position[row] !== object.filled) object.hurt = true
    object.rows.push(row)
    object.filled += payloads.size[row]
    if (!object.hurt && object.filled === payloads.objectSize[row]) close(stream, objects)
  }
  for (const [stream, objects] of streams) close(stream, objects)
  return streams
}

/** The payloads of the media object that begins at `first`, in order. */
export function* partsOf(payloads: PayloadTable, first: number): Generator<number> {
  const stream = payloads.stream[first]
  for (let row = first; row < payloads.length; row++) {
    // parts of one that is left out follow those of the one before
    if (payloads.stream[row] !== stream || payloads.flags[row] & DROPPED) continue
    if (row > first && payloads.flags[row] & OBJECT_START) return
    yield row
  }
}

function note(objects: MediaObjects, row: number): void {
  objects.whole++
  if (objects.firstWhole < 0) objects.firstWhole = row
  objects.lastWhole = row
}
