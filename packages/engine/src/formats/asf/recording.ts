import { usualWholeStep } from '../../recording/usual-step.ts'
import type { AsfStream } from './read/header.ts'
import { DROPPED, OBJECT_START, type PayloadTable } from './read/packet-table.ts'

/** Steps between neighbours beyond this many milliseconds are pauses. */
const LONGEST_STEP = 2000

/** One stream's media objects, in the order of the file. */
export interface StreamObjects {
  readonly stream: AsfStream
  /** First payload of each whole object. */
  readonly rows: Uint32Array
  /** Usual milliseconds between neighbours; 0 where there are none. */
  readonly step: number
}

/** The whole media objects of each stream that has any. */
export function objectsOf(payloads: PayloadTable, streams: readonly AsfStream[]): StreamObjects[] {
  return streams.flatMap((stream) => {
    const rows = new Uint32Array(payloads.length)
    let count = 0
    for (let row = 0; row < payloads.length; row++) {
      if (payloads.stream[row] !== stream.number) continue
      if ((payloads.flags[row] & (OBJECT_START | DROPPED)) === OBJECT_START) rows[count++] = row
    }
    if (count === 0) return []
    const own = rows.slice(0, count)
    return [{ stream, rows: own, step: usualWholeStep(payloads.time, own, LONGEST_STEP) }]
  })
}

/**
 * Milliseconds of the first presentation time and of the last object's end, over pictures and sound. No object says how long it
 * is: where the header tells an end, in milliseconds, within the last ones, it is right, else they are as long as usual.
 */
export function spanOf(
  payloads: PayloadTable,
  objects: readonly StreamObjects[],
  told: number | undefined,
): { first: number; end: number } {
  let first = Number.POSITIVE_INFINITY
  let end = 0
  let last = 0
  for (const { stream, rows, step } of objects) {
    if (stream.kind === 'data') continue
    for (const row of rows) {
      first = Math.min(first, payloads.time[row])
      last = Math.max(last, payloads.time[row])
      end = Math.max(end, payloads.time[row] + step)
    }
  }
  if (told !== undefined && told > last && told < end) end = told
  return Number.isFinite(first) ? { first, end } : { first: 0, end: 0 }
}
