import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { HEADER_BYTES, isPlausible, type Layout, PACKET_BYTES, SYNC_BYTE } from './packet.ts'

/** Bytes read together, and those kept in front of the end to look ahead in. */
const PIECE = 1 << 20
const AHEAD = 16 * 204
/** Packets in a row that make a grid out of place. */
const ROW = 5
/** Shortest such row, at the end of the file. */
const SHORT_ROW = 3
/** Packets looked at behind one without its sync byte, to tell whether the grid goes on. */
const BEHIND = 2

/** Who is told what lies on the grid and between. Offsets are those of the file. */
export interface GridVisitor {
  /** A packet whose sync byte is at `bytes[at]`; `offset` is where it begins with its arrival time. */
  packet(bytes: Uint8Array, at: number, offset: number): void
  /** As `packet`, in its place on the grid but without its sync byte. Says whether it is one after all. */
  spoiled(bytes: Uint8Array, at: number, offset: number): boolean
  /**
   * Bytes that are no packets. `torn`: the packet before lost its end, the next one begins there already, so the gap is empty or
   * begins in it. `aligned`: the grid goes on behind as if there were packets in between.
   */
  gap(from: number, to: number, torn: boolean, aligned: boolean): void
  /** All in front of `offset` is told. */
  reached(offset: number): void
}

/** Walks over all packets of a file, in its order. Time in proportion to the bytes. @throws AbortedError */
export async function walkGrid(
  reader: ByteReader,
  { size, lead }: Layout,
  visitor: GridVisitor,
  monitor: Monitor,
): Promise<void> {
  const buffer = new Uint8Array(PIECE + AHEAD)
  let position = 0
  /** Where the packet before begins; -1 behind a gap and at the start. */
  let previous = -1
  /** Where the gap begins that is not over yet. */
  let gap = -1
  while (position < reader.size) {
    visitor.reached(position)
    monitor.progress('survey', position / reader.size)
    await monitor.pause()
    // the packet before stays in sight: the next one may begin in it
    const base = Math.max(0, position - size)
    const length = reader.copyTo(base, buffer)
    const last = length < buffer.length || base + length >= reader.size
    const bytes = buffer.subarray(0, length)
    const stop = last ? length : length - AHEAD
    let at = position - base
    while (at < stop) {
      const fits = at + size <= length || (last && at + lead + PACKET_BYTES <= length)
      const isPacket = fits && bytes[at + lead] === SYNC_BYTE && !breaksOff(bytes, at + lead, size)
      if (isPacket && (gap < 0 || previous >= 0)) {
        visitor.packet(bytes, at + lead, base + at)
        previous = base + at
        at += size
        continue
      }
      if (fits && gap < 0 && goesOn(bytes, at + size + lead, size)) {
        if (visitor.spoiled(bytes, at + lead, base + at)) {
          previous = base + at
          at += size
          continue
        }
      }
      const from = previous < 0 ? at : previous - base + 1
      const found = findRow(bytes, from + lead, size, last) - lead
      const begins = gap < 0 ? base + at : gap
      if (found < 0 || found >= stop) {
        gap = begins
        previous = -1
        at = stop
        continue
      }
      const torn = base + found < begins
      visitor.gap(Math.min(begins, base + found), base + found, torn, (base + found - begins) % size === 0)
      gap = -1
      visitor.packet(bytes, found + lead, base + found)
      previous = base + found
      at = found + size
    }
    position = base + Math.max(at, position - base + 1)
    if (last) break
  }
  if (gap >= 0) visitor.gap(gap, reader.size, false, false)
}

/** Whether zeros begin in the header whose sync byte is at `at`, and go on in place of the packet behind. */
function breaksOff(bytes: Uint8Array, at: number, size: number): boolean {
  if (at + size >= bytes.length || bytes[at + size] === SYNC_BYTE || isPlausible(bytes, at)) return false
  for (let i = HEADER_BYTES - 1; i < PACKET_BYTES; i++) if (bytes[at + i] !== 0) return false
  return true
}

function goesOn(bytes: Uint8Array, at: number, size: number): boolean {
  for (let i = 0; i < BEHIND; i++) {
    const next = at + i * size
    // the end of the file breaks no grid
    if (next + PACKET_BYTES > bytes.length) return i > 0
    if (bytes[next] !== SYNC_BYTE || !isPlausible(bytes, next)) return false
  }
  return true
}

/** The sync byte that begins the next row of packets, or a negative number. */
function findRow(bytes: Uint8Array, from: number, size: number, last: boolean): number {
  for (let at = bytes.indexOf(SYNC_BYTE, from); at >= 0; at = bytes.indexOf(SYNC_BYTE, at + 1)) {
    let row = 0
    let next = at
    while (row < ROW && next + PACKET_BYTES <= bytes.length) {
      if (bytes[next] !== SYNC_BYTE || !isPlausible(bytes, next)) break
      row++
      next += size
    }
    if (row >= ROW) return at
    if (last && row >= SHORT_ROW && next + PACKET_BYTES > bytes.length) return at
    if (!last && next + PACKET_BYTES > bytes.length && row > 0) return at
  }
  return Number.NEGATIVE_INFINITY
}
