import type { ChunkOrder, Stand } from './chunk-order.ts'
import { COST } from './explanation-costs.ts'
import type { ProofMemory } from './proof-memory.ts'
import type { Lane } from './track-chunks.ts'

/** One chunk as it was placed. */
export interface Placed {
  readonly lane: number
  readonly chunk: number
  readonly offset: number
  readonly firstSample: number
  readonly samples: number
  /** Bytes that its samples together are larger, or smaller, than their table says. */
  readonly excess: number
  /** Where it ends; undefined where nothing shows it. */
  readonly end: number | undefined
}

/** A chunk taken, and where the walk stands behind it. */
export interface Step {
  readonly placed: Placed
  /** Undefined when no chunk is left. */
  readonly next: Stand | undefined
  readonly cost: number
  /** The bytes before the next chunk are nobody's. */
  readonly gap: boolean
}

/** Takes chunks: as the tables have them, or as an explanation does. */
export class ChunkSteps {
  readonly #lanes: readonly Lane[]
  /** Offsets where payload starts anew: gaps up to there are no fault. */
  readonly #seams: ReadonlySet<number>
  readonly #order: ChunkOrder
  readonly #proof: ProofMemory

  constructor(lanes: readonly Lane[], seams: ReadonlySet<number>, order: ChunkOrder, proof: ProofMemory) {
    this.#lanes = lanes
    this.#seams = seams
    this.#order = order
    this.#proof = proof
  }

  /** Takes the chunk as the tables have it; undefined when it does not end where another starts. */
  free(stand: Stand): Step | undefined {
    const { lane, offset } = stand
    for (const count of this.#order.counts(stand)) {
      const bytes = this.#lanes[lane].bytes(stand.sample[lane], count)
      if (bytes < 0) continue
      const end = offset + bytes
      const next = this.#order.laneAt(stand, end)
      if (next >= 0 && this.#order.passed(stand, next, end) > 0) continue
      if (next >= 0) return this.take(stand, count, 0, next, end, 0, false)
      const up = this.#order.blockAt(end)
      const padded = up > end ? this.#order.laneAt(stand, up) : -1
      if (padded >= 0 && this.#order.passed(stand, padded, up) === 0)
        return this.take(stand, count, 0, padded, up, 0, false)
      if (this.#order.isLast(stand) && count === this.#order.left(stand))
        return this.take(stand, count, 0, -1, end, 0, false)
      const seam = this.#order.nextStart(stand, end)
      if (seam && this.#seams.has(seam.offset) && seam.offset >= end)
        return this.take(stand, count, 0, seam.lane, seam.offset, 0, false)
    }
    return undefined
  }

  /**
   * Takes the chunk with so many samples, `excess` bytes larger than the table says, the next one being that of `nextLane` at
   * `nextOffset`.
   * @param nextLane −1 where no chunk is left, `nextOffset` then telling nothing
   * @param cost flipped bits of the explanation, 0 where none is needed; what chunks passed over and bytes that speak against it
   * cost is added
   * @param gap the bytes before the next chunk are nobody's
   */
  take(
    stand: Stand,
    samples: number,
    excess: number,
    nextLane: number,
    nextOffset: number,
    cost: number,
    gap: boolean,
  ): Step {
    const { lane, offset, chunk, sample } = stand
    const placed = {
      lane,
      chunk: chunk[lane],
      offset,
      firstSample: sample[lane],
      samples,
      excess,
      end:
        nextLane < 0 || gap || this.#order.isPadded(stand, samples, excess, nextOffset)
          ? undefined
          : nextOffset,
    }
    if (nextLane < 0) return { placed, next: undefined, cost, gap }
    const passed = cost > 0 ? this.#order.passed(stand, nextLane, nextOffset) * COST.bit : 0
    const price = cost > 0 ? cost + passed + this.#proof.cost(stand, samples, excess, nextOffset) : 0
    const next = this.after(stand, samples, nextLane, nextOffset)
    return { placed, next, cost: price, gap }
  }

  /**
   * Where the walk stands behind the chunk when it has so many samples and the next one is that of `nextLane` at `nextOffset`.
   */
  after(stand: Stand, samples: number, nextLane: number, nextOffset: number): Stand {
    const { lane, chunk, sample, carried } = stand
    const { counts, runs } = this.#lanes[lane]
    const moved = samples !== counts[chunk[lane]]
    return {
      lane: nextLane,
      offset: nextOffset,
      chunk: chunk.with(lane, chunk[lane] + 1),
      sample: sample.with(lane, sample[lane] + samples),
      carried: moved ? carried.with(lane, [runs[chunk[lane]], samples]) : carried,
    }
  }
}
