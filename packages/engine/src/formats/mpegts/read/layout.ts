import type { ByteReader } from '../../../bytes/reader.ts'
import { isPlausible, LAYOUTS, type Layout, SYNC_BYTE } from './packet.ts'

/** Packets in a row by which a grid is taken for one. */
const SURE = 5
/** The same where the file is packets from its beginning to its end, as the shortest segments of streams are. */
const WHOLE = 3
/** Bytes looked at in each place. */
const WINDOW = 64 * 1024
const PLACES = 9

/** How surely a file's packets are framed so. */
export interface LayoutGuess {
  readonly layout: Layout
  /** Share of the windows' bytes that lie in rows of packets, 0 to 1. */
  readonly share: number
  /** Packets of the longest row seen. */
  readonly longest: number
}

/** How packets are framed, by windows over the whole file; undefined where no row of packets was seen. */
export function guessLayout(reader: ByteReader): LayoutGuess | undefined {
  let best: LayoutGuess | undefined
  for (const layout of LAYOUTS) {
    let bytes = 0
    let packets = 0
    let longest = 0
    const sure = Math.min(SURE, Math.max(WHOLE, Math.floor(reader.size / layout.size)))
    for (let place = 0; place < PLACES; place++) {
      const from = Math.floor((Math.max(0, reader.size - WINDOW) * place) / (PLACES - 1))
      if (place > 0 && reader.size <= WINDOW) break
      const seen = rows(reader.bytes(from, WINDOW), layout, sure)
      bytes += Math.min(WINDOW, reader.size)
      packets += seen.packets
      longest = Math.max(longest, seen.longest)
    }
    const share = bytes === 0 ? 0 : (packets * layout.size) / bytes
    if (longest >= sure && (!best || share > best.share)) best = { layout, share, longest }
  }
  return best
}

/** Packets in rows of at least `sure`. */
function rows(bytes: Uint8Array, layout: Layout, sure: number): { packets: number; longest: number } {
  let packets = 0
  let longest = 0
  let at = bytes.indexOf(SYNC_BYTE)
  while (at >= 0) {
    const length = rowLength(bytes, at, layout.size)
    longest = Math.max(longest, length)
    if (length >= sure) packets += length
    const from = length >= sure ? at + (length - 1) * layout.size + 188 : at + 1
    at = bytes.indexOf(SYNC_BYTE, from)
  }
  return { packets, longest }
}

/** Plausible packets one behind the other whose first sync byte is at `at`. */
function rowLength(bytes: Uint8Array, at: number, size: number): number {
  let length = 0
  for (let next = at; next + 188 <= bytes.length; next += size) {
    if (bytes[next] !== SYNC_BYTE || !isPlausible(bytes, next)) break
    length++
  }
  return length
}
