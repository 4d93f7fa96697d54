import { idOf, streamOf } from './chunk-id.ts'

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
}

/** What the chunks of a file are called, and how large they usually are. */
export class ChunkNames {
  readonly #seen = new Map<number, Seen>()
  /** What the chunks of each stream are usually called. */
  readonly #usual: readonly number[]

  /** @param streams types of the streams, `auds` and the like; empty where nobody knows */
  constructor(streams: readonly string[]) {
    this.#usual = streams.map((type, number) =>
      idOf(String(number).padStart(2, '0') + (type === 'auds' ? 'wb' : 'dc')),
    )
  }

  /** A chunk with a header that was not hit. */
  see(id: number, size: number): void {
    const known = this.#seen.get(id)
    if (!known) {
      if (this.#seen.size < MOST) this.#seen.set(id, { count: 1, size, alike: 1 })
      return
    }
    known.count++
    known.alike = known.size === size ? known.alike + 1 : 1
    known.size = size
  }

  /** The size that the last chunks of a name all had; 0 where they differ. */
  usualSize(id: number): number {
    const known = this.#seen.get(id)
    return known && known.alike >= ALIKE ? known.size : 0
  }

  /**
   * The name of a stream's data that differs from `id` by the fewest bits, of those seen so far, or usual ones of streams not seen yet;
   * undefined where these are many, or two are as near and about as common.
   */
  nearest(id: number): number | undefined {
    const [best, other] = [...this.#seen.keys(), ...this.#unseen()]
      .map((known) => ({ known, turned: bits(known ^ id), count: this.#seen.get(known)?.count ?? 0 }))
      .filter(({ turned }) => turned <= FLIPPED)
      .sort((a, b) => a.turned - b.turned || b.count - a.count)
    if (!best || (other && other.turned === best.turned && best.count < other.count * COMMONER))
      return undefined
    return best.known
  }

  #unseen(): number[] {
    const seen = new Set([...this.#seen.keys()].map(streamOf))
    return this.#usual.filter((id) => !seen.has(streamOf(id)))
  }
}

/** How many bits of a number of 32 bits are set. */
export function bits(value: number): number {
  let count = 0
  for (let left = value >>> 0; left !== 0; left &= left - 1) count++
  return count
}
