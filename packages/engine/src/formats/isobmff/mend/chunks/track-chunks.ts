import type { Allowance } from '../../../../model/allowance.ts'
import { countBelow } from '../../../../model/bisect.ts'
import type { SampleToChunk } from '../../boxes/stsc.ts'
import type { SampleSizes } from '../../boxes/stsz.ts'
import { flip } from '../bits.ts'

/** The chunks and sample sizes of one track, as far as its layout in the file goes. */
export class Lane {
  readonly chunks: number
  readonly samples: number
  /** File offset of each chunk. */
  readonly offsets: Float64Array
  /** Samples of each chunk, by the table. */
  readonly counts: Uint32Array
  /** Which run of the table each chunk belongs to. */
  readonly runs: Uint32Array
  /** Chunk behind the last one of each run. */
  readonly #runEnds: Uint32Array
  /** Samples of all chunks together, by the table. */
  readonly placed: number
  /** The number of samples that most chunks have. */
  readonly usual: number
  /** The size that at least half of the samples have, 0 where there is none. */
  readonly commonSize: number
  readonly #sizes: SampleSizes
  /** Bytes of all samples before each, where sizes differ. */
  readonly #before: Float64Array
  /** Bytes and samples of a unit where all have one size. */
  readonly #unit: { readonly bytes: number; readonly samples: number }

  constructor(
    offsets: Float64Array,
    map: SampleToChunk,
    sizes: SampleSizes,
    unit: { readonly bytes: number; readonly samples: number },
    work: Allowance,
  ) {
    this.chunks = offsets.length
    this.offsets = offsets
    this.samples = sizes.constant > 0 ? sizes.count : sizes.sizes.length
    this.#sizes = sizes
    this.#unit = unit
    this.#before = new Float64Array(sizes.sizes.length + 1)
    for (let i = 0; i < sizes.sizes.length; i++) this.#before[i + 1] = this.#before[i] + sizes.sizes[i]
    this.counts = new Uint32Array(this.chunks)
    this.runs = new Uint32Array(this.chunks)
    this.#runEnds = new Uint32Array(map.length)
    const first = growing(map.firstChunk, this.chunks, work)
    let run = 0
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      while (run + 1 < map.length && first[run + 1] <= chunk + 1) run++
      this.counts[chunk] = map.samples[run] ?? 0
      this.runs[chunk] = run
      this.#runEnds[run] = chunk + 1
    }
    this.placed = this.counts.reduce((sum, count) => sum + count, 0)
    const often = new Map<number, number>()
    for (let chunk = 0; chunk < this.chunks; chunk++) {
      const count = this.counts[chunk]
      often.set(count, (often.get(count) ?? 0) + 1)
    }
    this.usual = [...often].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
    this.commonSize = commonest(sizes.sizes)
  }

  /** Sizes of single samples; empty where all have one. */
  get sizes(): Uint32Array {
    return this.#sizes.sizes
  }

  /** Chunks from `chunk` on that belong to its run of the table. */
  restOfRun(chunk: number): number {
    return this.#runEnds[this.runs[chunk]] - chunk
  }

  /** Bytes of `count` samples from sample `from` on; −1 where there are not so many. */
  bytes(from: number, count: number): number {
    if (count <= 0 || from + count > this.samples) return -1
    if (this.#sizes.constant > 0) return Math.floor(count / this.#unit.samples) * this.#unit.bytes
    if (count > MAX_CHUNK) return -1
    return this.#before[from + count] - this.#before[from]
  }

  /** How many samples from sample `from` on have exactly so many bytes; 0 for none. */
  countOf(from: number, bytes: number): number {
    if (bytes <= 0) return 0
    if (this.#sizes.constant > 0) {
      const count = (bytes / this.#unit.bytes) * this.#unit.samples
      return Number.isInteger(count) && from + count <= this.samples ? count : 0
    }
    const end = this.#before[from] + bytes
    const count = countBelow(this.#before, end) - from
    return count <= MAX_CHUNK && this.#before[from + count] === end ? count : 0
  }
}

/**
 * The first chunks of the runs of a chunk map, which grow: one that breaks the order is given a number in order that one
 * flipped bit makes of it.
 */
function growing(firstChunk: Uint32Array, chunks: number, work: Allowance): Uint32Array {
  const isOrdered = firstChunk.every((first, i) => (i === 0 ? first === 1 : first > firstChunk[i - 1]))
  if (isOrdered && firstChunk[firstChunk.length - 1] <= chunks) return firstChunk
  // each run is compared with all before it, and those in doubt with all behind
  if (!work.take(firstChunk.length ** 2)) return firstChunk
  const kept = longestGrowing(firstChunk, chunks)
  const mended = firstChunk.slice()
  let before = 0
  for (let i = 0; i < mended.length; i++) {
    if (kept[i]) {
      before = mended[i]
      continue
    }
    let next = i + 1
    while (next < mended.length && !kept[next]) next++
    const end = (next < mended.length ? mended[next] : chunks + 1) - (next - i - 1)
    const near = Array.from({ length: 32 }, (_, bit) => flip(firstChunk[i], bit)).filter(
      (value) => value > before && value < end,
    )
    // Any that is in order will do: the walk over the chunks tells where the run really starts.
    mended[i] = near[near.length >> 1] ?? before + 1
    before = mended[i]
  }
  return mended
}

/** Marks the most numbers from 1 to `most` that grow from one to the next. */
function longestGrowing(values: Uint32Array, most: number): Uint8Array {
  const best = new Uint32Array(values.length)
  const from = new Int32Array(values.length).fill(-1)
  let last = -1
  for (let i = 0; i < values.length; i++) {
    if (values[i] < 1 || values[i] > most || (i === 0 && values[i] !== 1)) continue
    best[i] = 1
    for (let k = 0; k < i; k++) {
      // As many runs as lie between must fit between.
      if (best[k] === 0 || values[i] - values[k] < i - k || best[k] + 1 <= best[i]) continue
      best[i] = best[k] + 1
      from[i] = k
    }
    if (last < 0 || best[i] > best[last]) last = i
  }
  const kept = new Uint8Array(values.length)
  for (let i = last; i >= 0; i = from[i]) kept[i] = 1
  return kept
}

/** Samples of single sizes in one chunk: a second of sound has some hundred. */
const MAX_CHUNK = 1 << 16

/** The value that at least half of many have, or 0: what is left when unequal ones are taken out in pairs. */
function commonest(values: Uint32Array): number {
  let candidate = 0
  let votes = 0
  for (let i = 0; i < values.length; i++) {
    if (votes === 0) candidate = values[i]
    votes += values[i] === candidate ? 1 : -1
  }
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] === candidate) count++
  return count * 2 >= values.length ? candidate : 0
}
