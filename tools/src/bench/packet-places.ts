import { createHash } from 'node:crypto'
import type { ByteRange, StreamHashes } from '@mendframe/renderer'

/** Bytes of the container's own that may stand between where a demuxer says that a packet is and its first byte. */
const MOST_FRONT = 40
/** The same where several packets are in one block of Matroska's, which says how long they are. */
const MOST_LACE = 600

/**
 * The streams of an undamaged file whose packets are where their own bytes begin: demuxers of Matroska and Flash video name the
 * place of what is in front of them. Packets that stand nowhere as they are handed out stay where they are said to be, and where
 * all do the streams are the same as before.
 */
export function placed(bytes: Buffer, streams: readonly StreamHashes[]): readonly StreamHashes[] {
  let isMoved = false
  const found = streams.map((stream) => {
    let usual = 0
    /** The packet before: where it is said to be, and where its bytes end. */
    let said = -1
    let end = -1
    const packets = stream.packets.map((packet, index) => {
      const stands = (front: number): boolean => {
        const start = packet.position + front
        return md5(bytes.subarray(start, start + packet.size)) === packet.md5
      }
      if (packet.position < 0) return packet
      const isLaced = stream.packets[index + 1]?.position === packet.position
      const front = packet.position === said ? end - said : usual
      const fronts = Array.from({ length: (isLaced ? MOST_LACE : MOST_FRONT) + 1 }, (_, bytes) => bytes)
      const found = stands(front) ? front : (fronts.find(stands) ?? 0)
      if (packet.position !== said && !isLaced) usual = found
      if (found > 0) isMoved = true
      said = packet.position
      end = said + found + packet.size
      return found === 0 ? packet : { ...packet, position: packet.position + found }
    })
    return { ...stream, packets }
  })
  return isMoved ? found : streams
}

/** Packets of each stream that a damage touched; bits flipped in what stands in front of one touch it not, longer damages do. */
export function touched(
  said: readonly StreamHashes[],
  own: readonly StreamHashes[],
  lost: readonly ByteRange[],
): ReadonlySet<number>[] {
  return own.map(({ packets }, place) => {
    const hit = new Set<number>()
    for (const [index, { position, size }] of packets.entries()) {
      const head = said[place]?.packets[index]?.position ?? position
      const isHit = lost.some(({ start, end }) => {
        const first = end - start === 1 ? position : head
        return start < position + size && end > first
      })
      if (isHit) hit.add(index)
    }
    return hit
  })
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex')
}
