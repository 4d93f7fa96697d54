import type { Packet, Payload } from './packet.ts'
import type { PayloadTable } from './packet-table.ts'

/** Largest media object believed, and how far, in milliseconds, its time may be from the last one's of the stream. */
const LARGEST_OBJECT = 16 * 1024 * 1024
export const NEAR = 30_000
/** Numbers of media objects by which near ones may differ. */
const AHEAD = 40
/** Payloads looked back over for the last ones of each stream. */
const LOOK_BACK = 512

/** What the last payload of a stream said of its media object. */
export interface LastOne {
  readonly time: number
  readonly number: number
  readonly size: number
  /** Bytes of the object up to that payload's end; NaN where that payload is one that follows. */
  readonly filled: number
}

/** By stream. */
export type LastOnes = Map<number, LastOne>

/** The last payload of each stream; where there is none, the first one of the packet that follows. */
export function lastOfStreams(payloads: PayloadTable, next: Packet | undefined): LastOnes {
  const last: LastOnes = new Map()
  for (let i = 0; next && i < next.count; i++) {
    const { stream, time, number, size } = next.payloads[i]
    if (!last.has(stream)) last.set(stream, { time, number, size, filled: Number.NaN })
  }
  for (let row = Math.max(0, payloads.length - LOOK_BACK); row < payloads.length; row++) {
    last.set(payloads.stream[row], {
      time: payloads.time[row],
      number: payloads.number[row],
      size: payloads.objectSize[row],
      filled: payloads.position[row] + payloads.size[row],
    })
  }
  return last
}

/** A payload is the last one of its stream from now on. */
export function follow(last: LastOnes, { stream, time, number, size, position, length }: Payload): void {
  last.set(stream, { time, number, size, filled: position + length })
}

/** Whether a payload lies near the last one of its stream, in number and time. */
export function isLikely(payload: Payload, last: LastOnes): boolean {
  if (payload.size > LARGEST_OBJECT || payload.size === 0) return false
  const before = last.get(payload.stream)
  if (!before) return last.size === 0 && payload.position === 0 && payload.number < 256
  const ahead = (payload.number - before.number + AHEAD) & 255
  return Math.abs(payload.time - before.time) <= NEAR && ahead <= 2 * AHEAD
}

/** What a payload joins to is worth: all of what it says goes on, or its object does, or it lies near. */
const JOINS = 4
const GOES_ON = 2
const LIES_NEAR = 1

function joint(payload: Payload, last: LastOnes): number {
  const before = last.get(payload.stream)
  if (payload.compressed) return LIES_NEAR
  if (!isLikely(payload, last)) return 0
  if (!before) return LIES_NEAR
  const { number, position, size, time } = payload
  const ahead = (number - before.number) & 255
  const isFull = before.filled === before.size
  if (position === 0) {
    if (ahead === 1) return isFull ? JOINS : GOES_ON
    return isFull && ahead > 1 && ahead <= AHEAD ? GOES_ON : LIES_NEAR
  }
  if (ahead !== 0) return LIES_NEAR
  return position === before.filled && size === before.size && time === before.time ? JOINS : GOES_ON
}

/** How well the payloads of a packet go on from those before; 0 where one of them does not lie near. */
export function continuity(packet: Packet, before: LastOnes): number {
  const last = new Map(before)
  let score = 0
  for (let i = 0; i < packet.count; i++) {
    const worth = joint(packet.payloads[i], last)
    if (worth === 0) return 0
    score += worth
    follow(last, packet.payloads[i])
  }
  return score
}

/** Whether every payload of a packet joins to the one before it, as far as streams are known. */
export function isJoined(packet: Packet, before: LastOnes): boolean {
  // most packets end with the first
  const last = packet.count === 1 ? before : new Map(before)
  for (let i = 0; i < packet.count; i++) {
    const payload = packet.payloads[i]
    // whole objects may be missing in front of one that begins
    const least = payload.position === 0 ? GOES_ON : JOINS
    if (!payload.compressed && last.has(payload.stream) && joint(payload, last) < least) return false
    if (i + 1 < packet.count) follow(last, payload)
  }
  return true
}
