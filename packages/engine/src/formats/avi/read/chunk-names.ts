import { streamOf, usualName } from './chunk-id.ts'

/** Turned bits of a name that are put right. */
const FLIPPED = 2
/** Chunks of one size in a row from which it is the usual one. */
const ALIKE = 4
/** Names that are kept. */
const MOST = 64
/** Times that a name was seen for each time of another one that is as near before it is the one that was meant. */
const COMMONER = 8

interface Seen {
  count: number
  /** The size of the last chunk, and how many had it one after another. */
  size: number
  alike: number
  /** Some sizes are odd. */
  odd: boolean
}

/** What the chunks of a file are called, and how large they usually are. */
export class ChunkNames {
  readonly #seen = new Map<number, Seen>()
  /** What the chunks of streams are usually called of which none was seen yet. */
  #unseen: readonly number[]

  /** @param streams types of the streams, `auds` and the like; empty where nobody knows */
  constructor(streams: readonly string[]) {
    this.#unseen = streams.map((type, number) => usualName(number, type === 'auds'))
  }

  /** A chunk with a header that was not hit. */
  see(id: number, size: number): void {
    const known = this.#seen.get(id)
    if (!known) {
      if (this.#seen.size < MOST) this.#seen.set(id, { count: 1, size, alike: 1, odd: (size & 1) > 0 })
      this.#unseen = this.#unseen.filter((usual) => streamOf(usual) !== streamOf(id))
      return
    }
    known.count++
    known.alike = known.size === size ? known.alike + 1 : 1
    known.size = size
    known.odd ||= (size & 1) > 0
  }

  /** Whether chunks of a name have odd sizes, as far as is known: some writers fill all up. */
  hasOdd(id: number): boolean {
    return this.#seen.get(id)?.odd ?? true
  }

  /** The size that the last chunks of a name all had; 0 where they differ. */
  usualSize(id: number): number {
    const known = this.#seen.get(id)
    return known && known.alike >= ALIKE ? known.size : 0
  }

  /**
   * The name of a stream's data that differs from `id` by the fewest bits, of those seen so far, or usual ones of streams not
   * seen yet; undefined where these are many, or two are as near and about as common.
   */
  nearest(id: number): number | undefined {
    let best: number | undefined
    let least = FLIPPED + 1
    let common = 0
    let isClear = true
    const consider = (known: number, count: number): void => {
      const turned = bits(known ^ id)
      if (turned > least || turned > FLIPPED) return
      if (turned < least) isClear = true
      else isClear = Math.max(count, common) >= Math.min(count, common) * COMMONER && count !== common
      if (turned < least || count > common) {
        best = known
        common = count
      }
      least = turned
    }
    for (const [known, { count }] of this.#seen) consider(known, count)
    for (const known of this.#unseen) consider(known, 0)
    return isClear ? best : undefined
  }
}

/** How many bits of a number of 32 bits are set. */
export function bits(value: number): number {
  let count = 0
  for (let left = value >>> 0; left !== 0; left &= left - 1) count++
  return count
}
