import type { Allowance } from '../../../../model/allowance.ts'
import type { Monitor } from '../../../../model/monitor.ts'
import { isOneBitApart } from '../bits.ts'
import { ChunkFaults } from './chunk-faults.ts'
import { ChunkOrder, type Stand } from './chunk-order.ts'
import { ChunkSteps, type Placed, type Step } from './chunk-steps.ts'
import { COST } from './explanation-costs.ts'
import { Looks } from './looks.ts'
import { type Proof, ProofMemory } from './proof-memory.ts'
import type { Lane } from './track-chunks.ts'

/** Where the chunks of all tracks lie. */
export interface Layout {
  readonly lanes: readonly { readonly offsets: Float64Array; readonly counts: Uint32Array }[]
  /** Chunks that hold, or may hold, samples of wrong size. */
  readonly resized: readonly Placed[]
  /** Explanations that were needed. */
  readonly faults: number
}

/** Chunks looked ahead to tell explanations apart, and further faults among them. */
const HORIZON = 20
const DEPTH = 3
/** Chunks that must follow well for a fault to be believed. */
const PRICE = 3
/** Flipped bits that a fault not looked into may cost. */
const UNEXPLAINED = 1.5
/** As many chunks count for one that starts where no sample can. */
const DOUBT = 5
/** Chunks walked between two pauses. */
const PAUSE_CHUNKS = 4096
/** Gaps for every chunk from which on chunks are not laid end to end. */
const GAPS = 0.05
const FEW_GAPS = 4
/** Faults in one file, and for every chunk, from which on its index is not mended entry by entry. */
const MAX_FAULTS = 512
const FEW_FAULTS = 16
const FAULTS = 0.5

/**
 * Walks the chunks of all tracks in file order. Where they are laid end to end, as all writers of cameras do, each ends where
 * another starts; where one does not, the fewest flipped bits that make it so are found: in a chunk's offset, in the number of
 * its samples, in the size of one of them. Time in proportion to the chunks as long as they are sound; what faults cost is
 * bounded by an allowance.
 */
export class LayoutWalk {
  readonly #lanes: readonly Lane[]
  /** Offsets where payload starts anew: gaps up to there are no fault. */
  readonly #seams: ReadonlySet<number>
  readonly #mayStart: (lane: number, offset: number) => boolean
  readonly #proof: Proof
  readonly #order: ChunkOrder
  readonly #steps: ChunkSteps
  readonly #faults: ChunkFaults
  readonly #looks: Looks

  /**
   * @param mayStart whether a sample of a track may start at an offset; asked where tables are in doubt
   * @param proof what the bytes say; asked there, too
   * @param work steps that looking into faults may take
   */
  constructor(
    lanes: readonly Lane[],
    seams: ReadonlySet<number>,
    size: number,
    gapCost: number,
    mayStart: (lane: number, offset: number) => boolean,
    proof: Proof,
    work: Allowance,
  ) {
    this.#lanes = lanes
    this.#seams = seams
    this.#mayStart = mayStart
    this.#proof = proof
    this.#order = new ChunkOrder(lanes)
    this.#steps = new ChunkSteps(lanes, seams, this.#order, new ProofMemory(lanes, proof))
    this.#looks = new Looks(work)
    this.#faults = new ChunkFaults(lanes, size, gapCost, this.#order, this.#steps, this.#looks)
  }

  /** True when every chunk ends where another starts, by the tables as they are. */
  isSound(): boolean {
    const lanes = this.#lanes
    const chunk = new Uint32Array(lanes.length)
    const sample = new Float64Array(lanes.length)
    let at = Math.min(...lanes.map(({ offsets }) => offsets[0]))
    for (;;) {
      let lane = lanes.findIndex(({ chunks, offsets }, i) => chunk[i] < chunks && offsets[chunk[i]] === at)
      if (lane < 0) {
        const up = this.#order.blockAt(at)
        lane = lanes.findIndex(({ chunks, offsets }, i) => chunk[i] < chunks && offsets[chunk[i]] === up)
        if (lane >= 0) at = up
      }
      if (lane < 0) {
        let start = Number.POSITIVE_INFINITY
        for (const [i, { chunks, offsets }] of lanes.entries()) {
          if (chunk[i] >= chunks || offsets[chunk[i]] >= start) continue
          start = offsets[chunk[i]]
          lane = i
        }
        if (lane < 0) break
        if (start < at || !this.#seams.has(start)) return false
        at = start
      }
      const count = lanes[lane].counts[chunk[lane]]
      const bytes = lanes[lane].bytes(sample[lane], count)
      if (bytes < 0) return false
      at += bytes
      chunk[lane]++
      sample[lane] += count
    }
    return lanes.every(({ samples }, i) => sample[i] === samples)
  }

  /** Where all chunks lie; undefined when they are not laid end to end, or hopelessly damaged. @throws AbortedError */
  async solve(monitor: Monitor): Promise<Layout | undefined> {
    const lanes = this.#lanes.map(({ offsets, counts }) => ({
      offsets: offsets.slice(),
      counts: counts.slice(),
    }))
    const resized: Placed[] = []
    let chunks = 0
    let gaps = 0
    let faults = 0
    let stand = this.#start()
    while (stand) {
      if (chunks % PAUSE_CHUNKS === 0) await monitor.pause()
      const step: Step | undefined =
        this.#steps.free(stand) ?? this.#best(this.#faults.options(stand), HORIZON, DEPTH)?.step
      if (!step || this.#looks.spent) return undefined
      const { placed } = step
      lanes[placed.lane].offsets[placed.chunk] = placed.offset
      lanes[placed.lane].counts[placed.chunk] = placed.samples
      if (placed.excess !== 0 || placed.end === undefined) resized.push(placed)
      chunks++
      if (step.gap) gaps++
      else if (step.cost > 0) faults++
      if (gaps > FEW_GAPS + chunks * GAPS || faults > Math.min(MAX_FAULTS, FEW_FAULTS + chunks * FAULTS))
        return undefined
      stand = step.next
    }
    return { lanes, resized, faults }
  }

  /** The first chunk of the file: the lowest first offset, unless a bit of the first offsets was flipped. */
  #start(): Stand | undefined {
    const lanes = this.#lanes
    const stand = (lane: number, offset: number): Stand => ({
      lane,
      offset,
      chunk: lanes.map(() => 0),
      sample: lanes.map(() => 0),
      carried: lanes.map(() => [-1, 0] as const),
    })
    const options: { stand: Stand; cost: number }[] = []
    // where no payload starts at 0, a chunk there is one whose place was zeroed
    const zeroed = (offset: number): boolean => offset === 0 && this.#seams.size > 0 && !this.#seams.has(0)
    const first = Math.min(
      ...lanes.map(({ offsets }) => (zeroed(offsets[0]) ? Number.POSITIVE_INFINITY : offsets[0])),
    )
    for (const [i, { offsets }] of lanes.entries()) {
      if (!zeroed(offsets[0]))
        options.push({ stand: stand(i, offsets[0]), cost: offsets[0] === first ? 0 : COST.bit })
      for (const seam of this.#seams) {
        if (zeroed(offsets[0]) || isOneBitApart(seam, offsets[0]))
          options.push({ stand: stand(i, seam), cost: COST.bit })
      }
    }
    let best: Stand | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const option of options) {
      const score = this.#score(option.stand, HORIZON, DEPTH) - option.cost * PRICE
      if (score <= most) continue
      most = score
      best = option.stand
    }
    return best
  }

  /** The explanation after which most chunks follow well. */
  #best(steps: readonly Step[], horizon: number, depth: number): { step: Step; score: number } | undefined {
    let best: { step: Step; score: number } | undefined
    for (const step of [...steps].sort((a, b) => a.cost - b.cost)) {
      if (best && horizon - step.cost * PRICE <= best.score) break
      const after = step.next ? this.#score(step.next, horizon - 1, depth) : horizon
      const score = after - step.cost * PRICE
      if (!best || score > best.score) best = { step, score }
    }
    return best
  }

  #isPayload({ lane, offset, firstSample, samples }: Placed): boolean {
    return this.#proof.isPayload(offset, offset + this.#lanes[lane].bytes(firstSample, samples))
  }

  #score(from: Stand, horizon: number, depth: number): number {
    let stand = from
    let doubts = 0
    for (let good = 0; ; good++) {
      if (good >= horizon || !this.#looks.may(this.#lanes.length)) return good - doubts
      if (!this.#mayStart(stand.lane, stand.offset)) doubts += DOUBT
      const step = this.#steps.free(stand)
      if (step) {
        // The last chunk is off by a bit, or holds a size that is, when it leads out of the media.
        if (!step.next) return horizon - doubts - (this.#isPayload(step.placed) ? 0 : PRICE)
        stand = step.next
        continue
      }
      // The rest is taken to be in order, but for the fault at hand: whoever looks less far shall not gain by it.
      if (depth === 0) return horizon - PRICE * UNEXPLAINED - doubts
      const best = this.#best(this.#faults.options(stand), horizon - good, depth - 1)
      return good + (best?.score ?? -horizon) - doubts
    }
  }
}
