import type { Stand } from './chunk-order.ts'
import type { Lane } from './track-chunks.ts'

/** What the bytes say of chunks, by track; undefined where they do not tell. */
export interface Proof {
  /** Whether samples of these sizes lie at an offset, one behind the other. */
  areSamples(lane: number, offset: number, sizes: Uint32Array): boolean | undefined
  /** Whether so many whole samples, whatever their sizes, reach from one offset exactly to another. */
  reach(lane: number, from: number, to: number, samples: number): boolean | undefined
  /** Whether all between two offsets is payload. */
  isPayload(from: number, to: number): boolean
}

/** What it costs to take samples that are none for right, or ones that prove themselves for wrong. */
const AGAINST_PROOF = 2.5
/** Samples of one chunk that are asked for proof. */
const MAX_PROVEN = 2048

/** What the bytes say of assumptions, each asked once. */
export class ProofMemory {
  readonly #lanes: readonly Lane[]
  readonly #proof: Proof
  /**
   * What was asked of the bytes before, by track: whether samples of the table's sizes lie there, and whether some reach so far.
   */
  readonly #asIs: readonly Answers[]
  readonly #reached: readonly Answers[]

  constructor(lanes: readonly Lane[], proof: Proof) {
    this.#lanes = lanes
    this.#proof = proof
    this.#asIs = lanes.map(() => new Answers())
    this.#reached = lanes.map(() => new Answers())
  }

  /** What it costs that the bytes of a chunk speak against what is assumed of its samples. */
  cost({ lane, offset, sample }: Stand, samples: number, excess: number, end: number): number {
    const { sizes } = this.#lanes[lane]
    if (sizes.length === 0 || samples > MAX_PROVEN) return 0
    const first = sample[lane]
    const asIs = this.#asIs[lane].of(offset, samples, first, () =>
      this.#proof.areSamples(lane, offset, sizes.subarray(first, first + samples)),
    )
    if (excess === 0) return asIs === false ? AGAINST_PROOF : 0
    if (asIs) return AGAINST_PROOF
    const reach = this.#reached[lane].of(offset, samples, end, () =>
      this.#proof.reach(lane, offset, end, samples),
    )
    return reach === false ? AGAINST_PROOF : 0
  }
}

/** Answers by what was asked: an offset, a number of samples, and one number more. */
class Answers {
  readonly #known = new Map<number, Map<number, boolean | undefined>>()

  of(offset: number, samples: number, third: number, ask: () => boolean | undefined): boolean | undefined {
    const place = offset * (MAX_PROVEN + 1) + samples
    const known = this.#known.get(place) ?? new Map<number, boolean | undefined>()
    this.#known.set(place, known)
    if (!known.has(third)) known.set(third, ask())
    return known.get(third)
  }
}
