import type { ByteRange, PacketHash } from '@mendframe/renderer'
import type { Match } from './sequence.ts'

/** Bytes of plain sound compared at once. */
export const PCM_BLOCK = 256

const BASE = 0x01000193

/**
 * Finds the blocks of `original` (every 256 bytes) again in `repaired` at any place: a rolling hash proposes, bytes decide.
 * Pairs are byte offsets: `left` in `original`, `right` in `repaired`.
 */
export function findBlocks(original: Buffer, repaired: Buffer): Match[] {
  const places = new Map<number, number[]>()
  for (let at = 0; at + PCM_BLOCK <= original.length; at += PCM_BLOCK) {
    const hash = hashOf(original, at)
    const list = places.get(hash)
    if (list) list.push(at)
    else places.set(hash, [at])
  }
  let top = 1
  for (let step = 1; step < PCM_BLOCK; step++) top = Math.imul(top, BASE)
  const found: Match[] = []
  let expected = 0
  let hash = hashOf(repaired, 0)
  for (let at = 0; at + PCM_BLOCK <= repaired.length; ) {
    const place = choose(places.get(hash), expected, original, repaired, at)
    if (place !== undefined) {
      found.push({ left: place, right: at })
      expected = place + PCM_BLOCK
      at += PCM_BLOCK
      hash = hashOf(repaired, at)
    } else {
      hash = (Math.imul(hash - Math.imul(repaired[at] ?? 0, top), BASE) + (repaired[at + PCM_BLOCK] ?? 0)) | 0
      at++
    }
  }
  return found
}

/** Blocks of 256 bytes of a PCM track that no lost range touches; a block may span two packets. */
export function wholeBlocks(
  packets: readonly Pick<PacketHash, 'position' | 'size'>[],
  lost: readonly ByteRange[],
): Set<number> {
  const whole = new Set<number>()
  let offset = 0
  for (const { position, size } of packets) {
    const first = Math.ceil(offset / PCM_BLOCK)
    const last = Math.floor((offset + size) / PCM_BLOCK)
    for (let block = first; block < last; block++) {
      const at = position + block * PCM_BLOCK - offset
      if (!isHit(lost, at, at + PCM_BLOCK)) whole.add(block)
    }
    offset += size
  }
  return whole
}

/** Whether a lost range touches bytes. */
export function isHit(lost: readonly ByteRange[], start: number, end: number): boolean {
  return lost.some((range) => range.start < end && range.end > start)
}

/** The truly equal candidate nearest to the one expected next; silence offers many. */
function choose(
  candidates: readonly number[] | undefined,
  expected: number,
  original: Buffer,
  repaired: Buffer,
  at: number,
): number | undefined {
  let best: number | undefined
  for (const place of candidates ?? []) {
    if (best !== undefined && Math.abs(place - expected) >= Math.abs(best - expected)) continue
    if (original.compare(repaired, at, at + PCM_BLOCK, place, place + PCM_BLOCK) === 0) best = place
  }
  return best
}

function hashOf(bytes: Buffer, at: number): number {
  let hash = 0
  for (let step = 0; step < PCM_BLOCK; step++) hash = (Math.imul(hash, BASE) + (bytes[at + step] ?? 0)) | 0
  return hash
}
