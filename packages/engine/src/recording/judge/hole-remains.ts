import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { filledBytes } from '../../bytes/zeros.ts'

/** Zeros in a row that are damage: no coded unit holds as many. */
const DAMAGE = 512
/** Bytes looked at from each end of a hole, at the most. */
const DEEPEST = 8 << 20

/**
 * Bytes of a hole before its first zeros and behind its last, and about how many between are none: all are before where there are
 * no zeros. Looks `depth` bytes deep, some megabytes at the most.
 */
export function remains(
  reader: ByteReader,
  { offset, length }: Region,
  depth: number,
): { readonly front: number; readonly middle: number; readonly back: number } {
  const reach = Math.min(length, depth + DAMAGE, DEEPEST)
  const head = reader.bytes(offset, reach)
  const front = firstZeros(head.length, (i) => head[i])
  if (front === undefined) return { front: length, middle: 0, back: 0 }
  const tail = reader.bytes(offset + length - reach, reach)
  const back = firstZeros(tail.length, (i) => tail[tail.length - 1 - i]) ?? length - front
  const until = offset + length - back
  return { front, middle: filledBytes(reader, offset + front, until), back }
}

/** Where `DAMAGE` zeros in a row begin. */
function firstZeros(length: number, at: (index: number) => number): number | undefined {
  let run = 0
  for (let i = 0; i < length; i++) {
    run = at(i) === 0 ? run + 1 : 0
    if (run === DAMAGE) return i + 1 - DAMAGE
  }
  return undefined
}
