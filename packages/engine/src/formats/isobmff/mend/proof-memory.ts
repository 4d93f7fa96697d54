import type { Stand } from './chunk-order.ts'
import type { Lane } from './lane.ts'

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
  /** What was asked of the bytes before. */
  readonly #proofs = new Map<string, boolean | undefined>()

  constructor(lanes: readonly Lane[], proof: Proof) {
    this.#lanes = lanes
    this.#proof = proof
  }

  /** What it costs that the bytes of a chunk speak against what is assumed of its samples. */
  cost({ lane, offset, sample }: Stand, samples: number, excess: number, end: number): number {
    const { sizes } = this.#lanes[lane]
    if (sizes.length === 0 || samples > MAX_PROVEN) return 0
    const first = sample[lane]
    const asIs = this.#asked(`${lane} ${offset} ${first} ${samples}`, () =>
      this.#proof.areSamples(lane, offset, sizes.subarray(first, first + samples)),
    )
    if (excess === 0) return asIs === false ? AGAINST_PROOF : 0
    if (asIs) return AGAINST_PROOF
    const reach = this.#asked(`${lane} ${offset} to ${end}: ${samples}`, () =>
      this.#proof.reach(lane, offset, end, samples),
    )
    return reach === false ? AGAINST_PROOF : 0
  }

  #asked(question: string, ask: () => boolean | undefined): boolean | undefined {
    if (!this.#proofs.has(question)) this.#proofs.set(question, ask())
    return this.#proofs.get(question)
  }
}
