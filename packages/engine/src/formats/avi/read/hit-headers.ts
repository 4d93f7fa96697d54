import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { Allowance } from '../../../model/allowance.ts'
import { CHUNK_HEADER, padded } from '../../../syntax/riff/chunk.ts'
import { bits, type ChunkNames } from './chunk-names.ts'
import type { Places } from './places.ts'

/** What the eight bytes in front of a chunk meant. */
export interface Header {
  readonly id: number
  readonly size: number
}

/** Headers in a row that may be hit. */
const DEPTH = 8
/**
 * Bits of evidence. What a turned bit costs, and which one of a size it is; what a name is worth where a size leads to it, by its
 * turned bits, which chance hardly has, and the end of it all, which a wrong size leads to now and then.
 */
const TURNED = 8
const WHICH = 5
const NEARLY = [30, 25, 21]
const LEADS = 8
/** Cost of a size of which nothing is right but that it is none of the usual one's. */
const UNUSUAL = 24
/** Above what any size costs: a size and its cost are kept in one number. */
const COSTS = 64
/** Sizes that one may have meant: itself, the usual one, those of one turned bit and of two. */
const MOST_SIZES = 2 + 32 + (32 * 31) / 2
const LARGEST = 64 * 1024 * 1024
/** Bytes of the file for each header that is looked at, and how many are at least: hostile bytes are full of what may be one. */
const BYTES_A_LOOK = 32 * 1024
const LOOKS = 15_000

/**
 * Zero bytes where a size leads that are a hole: there are many pairs of bits, so that chance has one lead to the next header.
 */
const HOLE = 64

/** Whether a hole of zeros is where `size` bytes from `body` on end. */
export function leadsIntoZeros(reader: ByteReader, body: number, size: number): boolean {
  const end = padded(body + size)
  return end + HOLE <= reader.size && isZero(reader, end, end + HOLE)
}

/** A reading of a header, with the bits of evidence for it and those behind it, up to one that leads on as it stands. */
interface Reading extends Header {
  readonly evidence: number
}

/** Reads headers that were hit, by where they lead: to others that were hit, and at last to one that leads on as it stands. */
export class HitHeaders {
  readonly #reader: ByteReader
  readonly #places: Places
  readonly #names: ChunkNames
  readonly #looks: Allowance
  /** By the depth at which they are tried. */
  readonly #sizes = Array.from({ length: DEPTH + 1 }, () => new Float64Array(MOST_SIZES))
  /** Where the data ends, as its list tells; -1 where none does. */
  dataEnd = -1
  /** The first header that others follow from some place on: no chunk in front of it leads over it. */
  #next = 0
  #searchedFrom = 0

  constructor(reader: ByteReader, places: Places, names: ChunkNames) {
    this.#reader = reader
    this.#places = places
    this.#names = names
    this.#looks = new Allowance(LOOKS + Math.ceil(reader.size / BYTES_A_LOOK))
  }

  /** What a header at `at` meant; undefined where nothing of it leads on to the next one. */
  read(at: number): Header | undefined {
    if (at < this.#searchedFrom || at >= this.#next - CHUNK_HEADER) {
      this.#searchedFrom = at
      this.#next = this.#places.search(at + CHUNK_HEADER, this.#reader.size)
    }
    // behind all headers nothing tells where one leads to: entries of an index look like some
    const best = this.#next < this.#reader.size || at < this.dataEnd ? this.#best(at, DEPTH) : undefined
    return best && this.#isOverHole(at, best) ? undefined : best
  }

  /** Whether a size other than the usual one leads over a hole of zeros only because two of its bits are said to be turned. */
  #isOverHole(at: number, { id, size }: Header): boolean {
    const told = this.#reader.u32le(at + 4)
    if (size === this.#names.usualSize(id) || bits(size ^ told) < 2) return false
    return leadsIntoZeros(this.#reader, at + CHUNK_HEADER, told)
  }

  #best(at: number, depth: number): Reading | undefined {
    const id = this.#idAt(at)
    if (id === undefined || !this.#looks.take()) return undefined
    let best: Reading | undefined
    const room = Math.min(LARGEST, this.#next - at - CHUNK_HEADER)
    const told = this.#reader.u32le(at + 4)
    for (const sizeAndCost of sizesNear(told, this.#names.usualSize(id), room, this.#sizes[depth])) {
      const size = Math.floor(sizeAndCost / COSTS)
      const cost = sizeAndCost % COSTS
      const end = at + CHUNK_HEADER + size
      const evidence = this.#behind(end, depth) - cost
      // of as good ones the smallest: what a larger one leads over is more; but no byte fills up where none shows
      const isBetter = evidence > (best?.evidence ?? Number.NEGATIVE_INFINITY)
      const isFuller = best?.evidence === evidence && padded(best.size) === size && !this.#isFilled(id, end)
      if (isBetter || isFuller) best = { id, size, evidence }
    }
    return best
  }

  /** Whether the byte in front of `end` may be none of the chunk's: a zero, where chunks of that name have odd sizes, too. */
  #isFilled(id: number, end: number): boolean {
    return this.#names.hasOdd(id) && this.#reader.u8(end - 1) === 0
  }

  /** The name that a header at `at` has or meant; undefined where it is like none. */
  #idAt(at: number): number | undefined {
    if (at + CHUNK_HEADER > this.#reader.size) return undefined
    const told = this.#reader.u32le(at)
    return this.#places.at(at) === 'data' ? told : this.#names.nearest(told)
  }

  /** Evidence for headers from behind a chunk's `end` on; less than any where nothing leads on from there. */
  #behind(end: number, depth: number): number {
    const next = this.#places.behind(end)
    if (padded(end) === padded(this.dataEnd)) return LEADS
    if (next >= this.#reader.size) return Number.NEGATIVE_INFINITY
    if (next === this.#next) return LEADS
    const at = next < 0 ? padded(end) : next
    const reading = depth > 0 ? this.#best(at, depth - 1) : undefined
    // what it leads to may be missing
    if (!reading) return next < 0 ? Number.NEGATIVE_INFINITY : NEARLY[0]
    const turned = bits(reading.id ^ this.#reader.u32le(at))
    return reading.evidence + NEARLY[turned] - turned * TURNED
  }
}

/**
 * Sizes up to `most` that one may have meant, each times `COSTS`, with what it costs in bits of evidence on top, the smallest
 * first. A view of `into`.
 */
function sizesNear(told: number, usual: number, most: number, into: Float64Array): Float64Array {
  let count = 0
  const add = (size: number, cost: number): void => {
    if (size <= most) into[count++] = size * COSTS + cost
  }
  add(told, 0)
  // what all others have, too, no turned bit made
  if (told === usual) return into.subarray(0, count)
  if (usual > 0) add(usual, Math.min(UNUSUAL, bits(usual ^ told) * TURNED))
  for (let bit = 0; bit < 32; bit++) {
    const turned = (told ^ (1 << bit)) >>> 0
    if (turned !== usual) add(turned, TURNED + WHICH)
    for (let other = 0; other < bit; other++) {
      const both = (turned ^ (1 << other)) >>> 0
      if (both !== usual) add(both, 2 * (TURNED + WHICH))
    }
  }
  return into.subarray(0, count).sort()
}
