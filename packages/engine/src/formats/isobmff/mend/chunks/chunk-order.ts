import { flip, isPowerOfTwo } from '../bits.ts'
import { chunkBlock } from './blocks.ts'
import { COST } from './explanation-costs.ts'
import type { Lane } from './track-chunks.ts'

/** Where a walk stands: the chunk about to be taken, and what is next in every track. */
export interface Stand {
  readonly lane: number
  readonly offset: number
  /** Next chunk and next sample of every track. */
  readonly chunk: readonly number[]
  readonly sample: readonly number[]
  /** What a run of the chunk map was found to be, by track: run and samples a chunk. */
  readonly carried: readonly (readonly [number, number])[]
}

/** A chunk that may come next. */
export interface Next {
  readonly lane: number
  readonly offset: number
}

/** Samples of one size in a chunk from which on they are sample frames of PCM rather than coded units. */
const MANY = 256
/** Chunks within which the neighbouring run of a chunk is looked for. */
const FAR = 64
/** Bits of the number of coded units in one chunk. */
const MAX_CHUNK_BITS = 16

/** Which chunk may come next where a walk stands, and how many samples one may have, by the tables of all tracks. */
export class ChunkOrder {
  readonly #lanes: readonly Lane[]
  /** Chunks start at multiples of so many bytes: what is left of a block before one is nobody's, and no fault. */
  readonly #block: number

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes
    this.#block = chunkBlock(lanes)
  }

  /** Whether chunks start at blocks, rather than where the one before ends. */
  get isInBlocks(): boolean {
    return this.#block > 1
  }

  /** Numbers of samples that the chunk may have without a fault. */
  counts(stand: Stand): number[] {
    const { lane } = stand
    const { counts, runs, chunks } = this.#lanes[lane]
    const chunk = stand.chunk[lane]
    const [run, count] = stand.carried[lane]
    const list = run === runs[chunk] ? [count] : [counts[chunk]]
    // A run that starts too early is the one before it for a while.
    if (run === runs[chunk] && count === this.neighbour(lane, chunk, -1)) list.push(counts[chunk])
    if (chunk === chunks - 1) list.push(this.left(stand))
    return list
  }

  /** Samples a chunk in the run of the chunk map before (−1) or behind (1) that of a chunk; 0 when there is none. */
  neighbour(lane: number, chunk: number, direction: -1 | 1): number {
    const { counts, runs } = this.#lanes[lane]
    for (let i = chunk + direction; i >= 0 && i < runs.length && Math.abs(i - chunk) <= FAR; i += direction)
      if (runs[i] !== runs[chunk]) return counts[i]
    return 0
  }

  /**
   * Numbers of samples that the chunk may have where neither its size nor the next chunk's start tells, with what it costs to
   * take one: what the table says, or where that is more than there are, what one flipped bit makes of it, and what is usual.
   */
  guesses(stand: Stand): { count: number; price: number }[] {
    const { lane } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const holds = (count: number): boolean => own.bytes(sample, count) >= 0
    const sure = [...new Set(this.counts(stand))].filter(holds)
    if (sure.length > 0) return sure.map((count) => ({ count, price: 0 }))
    const declared = own.counts[stand.chunk[lane]]
    const near = Array.from({ length: 32 }, (_, bit) => flip(declared, bit)).filter(holds)
    return [
      ...near.map((count) => ({ count, price: COST.bit })),
      ...(near.includes(own.usual) || !holds(own.usual) ? [] : [{ count: own.usual, price: COST.unusual }]),
    ]
  }

  /**
   * Other numbers of samples that the chunk may have although its own is possible, one flipped bit away: that of the run that
   * begins with it, or that of a neighbour whose run begins elsewhere. Only what else they explain speaks for them.
   */
  rivals(stand: Stand): number[] {
    const { lane } = stand
    const own = this.#lanes[lane]
    const chunk = stand.chunk[lane]
    if (own.sizes.length === 0) return []
    const begins = chunk === 0 || own.runs[chunk - 1] !== own.runs[chunk]
    const flipped = begins
      ? Array.from({ length: MAX_CHUNK_BITS }, (_, bit) => flip(own.counts[chunk], bit))
      : []
    const beside = [this.neighbour(lane, chunk, -1), this.neighbour(lane, chunk, 1)]
    const sure = this.counts(stand)
    return [...new Set([...flipped, ...beside])].filter(
      (count) => !sure.includes(count) && own.bytes(stand.sample[lane], count) >= 0,
    )
  }

  /** What it costs to take a chunk for one of another number of samples: a run changes as a whole, or ends elsewhere. */
  countCost(stand: Stand, count: number): number {
    const { lane } = stand
    const { counts, runs } = this.#lanes[lane]
    const chunk = stand.chunk[lane]
    const { sizes, samples, placed, usual } = this.#lanes[lane]
    const begins = chunk === 0 || runs[chunk - 1] !== runs[chunk]
    const bit = isPowerOfTwo((count ^ counts[chunk]) >>> 0)
    const beside = count === this.neighbour(lane, chunk, 1) || count === this.neighbour(lane, chunk, -1)
    if (sizes.length > 0 || usual < MANY) {
      if ((begins && bit) || beside) return COST.bit
      return count === counts[chunk] ? COST.back : COST.unusual
    }
    // Where all samples have one small size, any distance is so many of them: only a map that then adds up proves it.
    if (count === counts[chunk]) return COST.arbitrary
    if (placed === samples) return COST.unproven
    const adds = placed + (count - counts[chunk]) * this.#lanes[lane].restOfRun(chunk) === samples
    return (begins && bit && adds) || beside ? COST.bit : COST.unproven
  }

  /** The first start of a block from an offset on. */
  blockAt(offset: number): number {
    return Math.ceil(offset / this.#block) * this.#block
  }

  /** Samples of the track from the chunk about to be taken on. */
  left(stand: Stand): number {
    return this.#lanes[stand.lane].samples - stand.sample[stand.lane]
  }

  /** Whether no track has a chunk behind the one about to be taken. */
  isLast(stand: Stand): boolean {
    return this.#lanes.every(({ chunks }, i) => stand.chunk[i] >= chunks - (i === stand.lane ? 1 : 0))
  }

  /** Offset of a track's next chunk behind the one about to be taken; undefined when it has none. */
  #next(stand: Stand, lane: number): number | undefined {
    return this.#lanes[lane].offsets[stand.chunk[lane] + (lane === stand.lane ? 1 : 0)]
  }

  /** The next chunk of every track behind the one about to be taken. */
  nexts(stand: Stand): Next[] {
    const nexts: Next[] = []
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const offset = this.#next(stand, lane)
      if (offset !== undefined) nexts.push({ lane, offset })
    }
    return nexts
  }

  /** The track whose next chunk starts at an offset; −1 where none does. */
  laneAt(stand: Stand, offset: number): number {
    for (let lane = 0; lane < this.#lanes.length; lane++) if (this.#next(stand, lane) === offset) return lane
    return -1
  }

  /** The first chunk, of those next in their tracks, that starts at an offset or behind it. */
  nextStart(stand: Stand, from: number): Next | undefined {
    let best = -1
    let nearest = Number.POSITIVE_INFINITY
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const offset = this.#next(stand, lane)
      if (offset === undefined || offset < from || offset >= nearest) continue
      best = lane
      nearest = offset
    }
    return best < 0 ? undefined : { lane: best, offset: nearest }
  }

  /** Whether what is left of a block lies between a chunk and the next. */
  isPadded({ lane, offset, sample }: Stand, samples: number, excess: number, next: number): boolean {
    return this.isInBlocks && offset + this.#lanes[lane].bytes(sample[lane], samples) + excess < next
  }

  /** Chunks of other tracks that should have come first: their offsets would be wrong, too. */
  passed(stand: Stand, nextLane: number, nextOffset: number): number {
    let passed = 0
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const offset = this.#next(stand, lane)
      if (lane !== nextLane && offset !== undefined && offset > stand.offset && offset < nextOffset) passed++
    }
    return passed
  }
}
