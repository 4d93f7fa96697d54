import type { ByteReader } from '../../../bytes/reader.ts'
import { searchBytes } from '../../../codecs/search-bytes.ts'
import { LARGEST_PACKET, SMALLEST_PACKET } from './header.ts'
import { USUAL_CORRECTION } from './packet.ts'

/** What packets begin with that have error correction data, as all muxers write them: flags and two zeros. */
const BEGINNING = Uint8Array.of(USUAL_CORRECTION, 0, 0)
/** Bytes in which the distance of packets is looked for. */
const SEARCHED = 8 * 1024 * 1024
/** Beginnings compared. */
const MOST_STARTS = 4096
/** Beginnings that have to lie the same distance apart. */
const LEAST_PAIRS = 3

/** Whether a packet may begin at `at`: error correction, length flags, property flags as every muxer writes them. */
export function mayBePacket(reader: ByteReader, at: number): boolean {
  return (
    reader.u8(at) === USUAL_CORRECTION &&
    reader.u16(at + 1) === 0 &&
    reader.u8(at + 3) < 128 &&
    reader.u8(at + 4) === 0x5d
  )
}

/** The distance of packets in [from, to), by their beginnings; 0 where they have none in common. */
export function packetDistance(reader: ByteReader, from: number, to: number): number {
  const counts = new Map<number, number>()
  const end = Math.min(to, reader.size, from + SEARCHED)
  let last = -1
  let starts = 0
  for (let at = from; starts < MOST_STARTS; at++) {
    at = searchBytes(reader, at, end, BEGINNING)
    if (at + 5 > end) break
    if (!mayBePacket(reader, at)) continue
    starts++
    const apart = at - last
    if (last >= 0 && apart >= SMALLEST_PACKET && apart <= LARGEST_PACKET)
      counts.set(apart, (counts.get(apart) ?? 0) + 1)
    last = at
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best && best[1] >= LEAST_PAIRS ? best[0] : 0
}
