import type { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { flip, isPowerOfTwo } from './bits.ts'
import { chunkBlock } from './blocks.ts'
import type { Lane } from './lane.ts'

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

/** What the bytes say of chunks, by track; undefined where they do not tell. */
export interface Proof {
  /** Whether samples of these sizes lie at an offset, one behind the other. */
  areSamples(lane: number, offset: number, sizes: Uint32Array): boolean | undefined
  /** Whether whole samples, whatever their sizes, reach from one offset exactly to another. */
  reach(lane: number, from: number, to: number): boolean | undefined
  /** Whether all between two offsets is payload. */
  isPayload(from: number, to: number): boolean
}

/** Where the chunks of all tracks lie. */
export interface Layout {
  readonly lanes: readonly { readonly offsets: Float64Array; readonly counts: Uint32Array }[]
  /** Chunks that hold, or may hold, samples of wrong size. */
  readonly resized: readonly Placed[]
  /** Explanations that were needed. */
  readonly faults: number
}

/** Where a walk stands: the chunk about to be taken, and what is next in every track. */
interface Stand {
  readonly lane: number
  readonly offset: number
  /** Next chunk and next sample of every track. */
  readonly chunk: readonly number[]
  readonly sample: readonly number[]
  /** What a run of the chunk map was found to be, by track: run and samples a chunk. */
  readonly carried: readonly (readonly [number, number])[]
}

/** A chunk that may come next. */
interface Next {
  readonly lane: number
  readonly offset: number
}

interface Step {
  readonly placed: Placed
  /** Undefined when no chunk is left. */
  readonly next: Stand | undefined
  readonly cost: number
  /** The bytes before the next chunk are nobody's. */
  readonly gap: boolean
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
/** Costs of explanations, in flipped bits. */
const COST = { bit: 1, restored: 0.75, back: 0.5, unusual: 1.5, unproven: 5, arbitrary: 2.25, overlap: 3 }
/** What it costs to take samples that are none for right, or ones that prove themselves for wrong. */
const AGAINST_PROOF = 2.5
/** Samples of one chunk that are asked for proof. */
const MAX_PROVEN = 2048
/** Samples of one size in a chunk from which on they are sample frames of PCM rather than coded units. */
const MANY = 256
/** Chunks walked between two pauses. */
const PAUSE_CHUNKS = 4096
/** Steps of the allowance for each look at a chunk, and looks at a chunk that may come next for every explanation by it. */
const STEPS_A_LOOK = 2
const LOOKS_A_NEXT = 4
/** Chunks within which the neighbouring run of a chunk is looked for. */
const FAR = 64
/** Gaps for every chunk from which on chunks are not laid end to end. */
const GAPS = 0.05
const FEW_GAPS = 4

/**
 * Walks the chunks of all tracks in file order. Where they are laid end to end, as all writers of cameras do, each ends where
 * another starts; where one does not, the fewest flipped bits that make it so are found: in a chunk's offset, in the number of its samples,
 * in the size of one of them. Time in proportion to the chunks as long as they are sound; what faults cost is bounded by an allowance.
 */
export class LayoutWalk {
  readonly #lanes: readonly Lane[]
  /** Offsets where payload starts anew: gaps up to there are no fault. */
  readonly #seams: ReadonlySet<number>
  readonly #gapCost: number
  /** Bytes of the file: no chunk is moved past its end. */
  readonly #size: number
  /** Chunks start at multiples of so many bytes: what is left of a block before one is nobody's, and no fault. */
  readonly #block: number

  readonly #mayStart: (lane: number, offset: number) => boolean
  readonly #work: Allowance
  /** The allowance is used up: whatever is found is not the whole truth. */
  #spent = false

  readonly #proof: Proof
  /** What was asked of the bytes before. */
  readonly #proofs = new Map<string, boolean | undefined>()

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
    this.#work = work
    this.#proof = proof
    this.#size = size
    this.#mayStart = mayStart
    this.#lanes = lanes
    this.#seams = seams
    this.#gapCost = gapCost
    this.#block = chunkBlock(lanes)
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
        const up = this.#blockAt(at)
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
        this.#free(stand) ?? this.#best(this.#options(stand), HORIZON, DEPTH)?.step
      if (!step || this.#spent) return undefined
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
    const first = Math.min(...lanes.map(({ offsets }) => offsets[0]))
    for (const [i, { offsets }] of lanes.entries()) {
      options.push({ stand: stand(i, offsets[0]), cost: offsets[0] === first ? 0 : COST.bit })
      for (const seam of this.#seams) {
        if (isPowerOfTwo(Math.abs(seam - offsets[0]))) options.push({ stand: stand(i, seam), cost: COST.bit })
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

  /** Takes steps of the allowance for so many looks at chunks; false once there are none left. */
  #may(looks: number): boolean {
    if (!this.#work.take(looks * STEPS_A_LOOK)) this.#spent = true
    return !this.#spent
  }

  /** Takes the chunk as the tables have it; undefined when it does not end where another starts. */
  #free(stand: Stand): Step | undefined {
    const { lane, offset } = stand
    for (const count of this.#counts(stand)) {
      const bytes = this.#lanes[lane].bytes(stand.sample[lane], count)
      if (bytes < 0) continue
      const end = offset + bytes
      const next = this.#laneAt(stand, end)
      if (next >= 0 && this.#passed(stand, next, end) > 0) continue
      if (next >= 0) return this.#take(stand, count, 0, next, end, 0, false)
      const up = this.#blockAt(end)
      const padded = up > end ? this.#laneAt(stand, up) : -1
      if (padded >= 0 && this.#passed(stand, padded, up) === 0)
        return this.#take(stand, count, 0, padded, up, 0, false)
      if (this.#isLast(stand) && count === this.#left(stand))
        return this.#take(stand, count, 0, -1, end, 0, false)
      const seam = this.#nextStart(stand, end)
      if (seam && this.#seams.has(seam.offset) && seam.offset >= end)
        return this.#take(stand, count, 0, seam.lane, seam.offset, 0, false)
    }
    return undefined
  }

  /** Numbers of samples that the chunk may have without a fault. */
  #counts(stand: Stand): number[] {
    const { lane } = stand
    const { counts, runs, chunks } = this.#lanes[lane]
    const chunk = stand.chunk[lane]
    const [run, count] = stand.carried[lane]
    const list = run === runs[chunk] ? [count] : [counts[chunk]]
    // A run that starts too early is the one before it for a while.
    if (run === runs[chunk] && count === this.#neighbour(lane, chunk, -1)) list.push(counts[chunk])
    if (chunk === chunks - 1) list.push(this.#left(stand))
    return list
  }

  /** Samples a chunk in the run of the chunk map before (−1) or behind (1) that of a chunk; 0 when there is none. */
  #neighbour(lane: number, chunk: number, direction: -1 | 1): number {
    const { counts, runs } = this.#lanes[lane]
    for (let i = chunk + direction; i >= 0 && i < runs.length && Math.abs(i - chunk) <= FAR; i += direction)
      if (runs[i] !== runs[chunk]) return counts[i]
    return 0
  }

  /**
   * Numbers of samples that the chunk may have where neither its size nor the next chunk's start tells, with what it costs to take one: what
   * the table says, or where that is more than there are, what one flipped bit makes of it, and what is usual.
   */
  #guesses(stand: Stand): { count: number; price: number }[] {
    const { lane } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const holds = (count: number): boolean => own.bytes(sample, count) >= 0
    const sure = [...new Set(this.#counts(stand))].filter(holds)
    if (sure.length > 0) return sure.map((count) => ({ count, price: 0 }))
    const declared = own.counts[stand.chunk[lane]]
    const near = Array.from({ length: 32 }, (_, bit) => flip(declared, bit)).filter(holds)
    return [
      ...near.map((count) => ({ count, price: COST.bit })),
      ...(near.includes(own.usual) || !holds(own.usual) ? [] : [{ count: own.usual, price: COST.unusual }]),
    ]
  }

  /** What it costs to take a chunk for one of another number of samples: a run changes as a whole, or ends elsewhere. */
  #countCost(stand: Stand, count: number): number {
    const { lane } = stand
    const { counts, runs } = this.#lanes[lane]
    const chunk = stand.chunk[lane]
    const { sizes, samples, placed, usual } = this.#lanes[lane]
    const begins = chunk === 0 || runs[chunk - 1] !== runs[chunk]
    const bit = isPowerOfTwo((count ^ counts[chunk]) >>> 0)
    const beside = count === this.#neighbour(lane, chunk, 1) || count === this.#neighbour(lane, chunk, -1)
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
  #blockAt(offset: number): number {
    return Math.ceil(offset / this.#block) * this.#block
  }

  #left(stand: Stand): number {
    return this.#lanes[stand.lane].samples - stand.sample[stand.lane]
  }

  #isLast(stand: Stand): boolean {
    return this.#lanes.every(({ chunks }, i) => stand.chunk[i] >= chunks - (i === stand.lane ? 1 : 0))
  }

  /** Offset of a track's next chunk behind the one about to be taken; undefined when it has none. */
  #next(stand: Stand, lane: number): number | undefined {
    return this.#lanes[lane].offsets[stand.chunk[lane] + (lane === stand.lane ? 1 : 0)]
  }

  /** The next chunk of every track behind the one about to be taken. */
  #nexts(stand: Stand): Next[] {
    const nexts: Next[] = []
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const offset = this.#next(stand, lane)
      if (offset !== undefined) nexts.push({ lane, offset })
    }
    return nexts
  }

  #laneAt(stand: Stand, offset: number): number {
    for (let lane = 0; lane < this.#lanes.length; lane++) if (this.#next(stand, lane) === offset) return lane
    return -1
  }

  #nextStart(stand: Stand, from: number): Next | undefined {
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

  /** What may be wrong with the chunk or the start of the next, each with its cost. */
  #options(stand: Stand): Step[] {
    const { lane, offset } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const steps: Step[] = []
    if (!this.#may(this.#lanes.length)) return steps
    const nexts = this.#nexts(stand)
    if (nexts.length === 0) {
      const left = this.#left(stand)
      return left > 0
        ? [this.#take(stand, left, 0, -1, offset + own.bytes(sample, left), COST.bit, false)]
        : []
    }
    for (const next of nexts) {
      const count = own.countOf(sample, next.offset - offset)
      if (count > 0)
        steps.push(this.#take(stand, count, 0, next.lane, next.offset, this.#countCost(stand, count), false))
    }
    if (this.#block > 1) return [...steps, ...this.#paddedOptions(stand, nexts)]
    for (const { count, price } of this.#guesses(stand)) {
      if (!this.#may(nexts.length * LOOKS_A_NEXT)) return steps
      const bytes = own.bytes(sample, count)
      if (bytes < 0) continue
      const end = offset + bytes
      // A number of samples that was guessed is right where it leads to a chunk.
      const met = price > 0 ? this.#laneAt(stand, end) : -1
      if (met >= 0) steps.push(this.#take(stand, count, 0, met, end, price, false))
      for (const next of nexts) {
        const excess = next.offset - end
        const bit = isPowerOfTwo(Math.abs(excess))
        if (end <= this.#size)
          steps.push(
            this.#take(stand, count, 0, next.lane, end, price + (bit ? COST.bit : COST.arbitrary), false),
          )
        if (own.sizes.length === 0 || next.offset <= offset) continue
        const flip = bit ? this.#flipCost(own, sample, count, excess) : undefined
        if (flip !== undefined)
          steps.push(this.#take(stand, count, excess, next.lane, next.offset, price + flip, false))
        else if (excess < MAX_EXCESS && -excess < bytes) {
          steps.push(this.#take(stand, count, excess, next.lane, next.offset, price + COST.arbitrary, false))
          steps.push(...this.#bothWrong(stand, count, bytes, next, price))
        }
      }
      const gap = this.#nextStart(stand, end)
      if (gap) steps.push(this.#take(stand, count, 0, gap.lane, gap.offset, price + this.#gapCost, true))
      const overlap = this.#nextStart(stand, offset + 1)
      if (overlap && overlap.offset < end)
        steps.push(this.#take(stand, count, 0, overlap.lane, overlap.offset, price + COST.overlap, true))
    }
    return steps
  }

  /** What may be wrong where what is left of a block lies behind each chunk. */
  #paddedOptions(stand: Stand, nexts: readonly Next[]): Step[] {
    const { lane, offset } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const chunk = stand.chunk[lane]
    const steps: Step[] = []
    if (!this.#may(nexts.length * OFFSET_BITS)) return steps
    const declared = own.counts[chunk]
    const others = new Set([
      ...Array.from({ length: 32 }, (_, bit) => flip(declared, bit)),
      this.#neighbour(lane, chunk, -1),
      this.#neighbour(lane, chunk, 1),
    ])
    for (const count of others) {
      const bytes = own.bytes(sample, count)
      const next = bytes > 0 ? this.#laneAt(stand, this.#blockAt(offset + bytes)) : -1
      if (next >= 0 && this.#blockAt(offset + bytes) > offset + bytes)
        steps.push(
          this.#take(
            stand,
            count,
            0,
            next,
            this.#blockAt(offset + bytes),
            this.#countCost(stand, count),
            false,
          ),
        )
    }
    for (const { count, price } of this.#guesses(stand)) {
      const end = offset + own.bytes(sample, count)
      const up = this.#blockAt(end)
      for (const next of nexts) {
        if (isPowerOfTwo(Math.abs(next.offset - up)) && up <= this.#size)
          steps.push(this.#take(stand, count, 0, next.lane, up, price + COST.bit, false))
        if (own.sizes.length === 0 || next.offset <= offset) continue
        const excess = this.#flipInto(own, sample, count, end, next.offset)
        const cost = price + (excess === undefined ? COST.arbitrary : COST.bit)
        steps.push(this.#take(stand, count, excess ?? next.offset - end, next.lane, next.offset, cost, false))
      }
      const gap = this.#nextStart(stand, end)
      if (gap) steps.push(this.#take(stand, count, 0, gap.lane, gap.offset, price + this.#gapCost, true))
    }
    return steps
  }

  /** By how much one flipped bit of a size must change a chunk so that it ends in the block before `start`; undefined for none. */
  #flipInto(own: Lane, from: number, count: number, end: number, start: number): number | undefined {
    for (let power = 1; power < MAX_EXCESS; power *= 2) {
      for (const excess of [power, -power]) {
        if (this.#blockAt(end + excess) !== start) continue
        if (this.#flipCost(own, from, count, excess) !== undefined) return excess
      }
    }
    return undefined
  }

  /**
   * Sizes are wrong, and so is the start of the next chunk by one bit: where more than a bit of one size is, that chunk must end well.
   */
  #bothWrong(stand: Stand, count: number, bytes: number, next: Next, price: number): Step[] {
    const steps: Step[] = []
    if (!this.#may(OFFSET_BITS * this.#lanes.length)) return steps
    for (let bit = 0; bit < OFFSET_BITS; bit++) {
      const set = Math.floor(next.offset / 2 ** bit) % 2 === 1
      const start = next.offset + (set ? -(2 ** bit) : 2 ** bit)
      if (start <= stand.offset || start > this.#size) continue
      const excess = start - stand.offset - bytes
      const flip = this.#flipCost(this.#lanes[stand.lane], stand.sample[stand.lane], count, excess)
      const sizes = flip ?? COST.arbitrary
      const step = this.#take(stand, count, excess, next.lane, start, price + sizes + COST.bit, false)
      if (step.next && (flip !== undefined || this.#free(step.next))) steps.push(step)
    }
    return steps
  }

  /**
   * What it costs that a flipped bit in the size of one sample makes the chunk `excess` bytes larger; undefined where no size has that bit. Less
   * where that gives the sample the size that most of its track have.
   */
  #flipCost(own: Lane, from: number, count: number, excess: number): number | undefined {
    if (!this.#may(count)) return undefined
    let cost: number | undefined
    for (let i = from; i < from + count; i++) {
      if (!flipsTo(own.sizes[i], excess)) continue
      if (own.sizes[i] + excess === own.commonSize) return COST.restored
      cost = COST.bit
    }
    return cost
  }

  #take(
    stand: Stand,
    samples: number,
    excess: number,
    nextLane: number,
    nextOffset: number,
    cost: number,
    gap: boolean,
  ): Step {
    const { lane, offset, chunk, sample, carried } = stand
    const own = this.#lanes[lane]
    const placed = {
      lane,
      chunk: chunk[lane],
      offset,
      firstSample: sample[lane],
      samples,
      excess,
      end: nextLane < 0 || gap || this.#isPadded(stand, samples, excess, nextOffset) ? undefined : nextOffset,
    }
    if (nextLane < 0) return { placed, next: undefined, cost, gap }
    const passed = cost > 0 ? this.#passed(stand, nextLane, nextOffset) * COST.bit : 0
    const price = cost > 0 ? cost + passed + this.#againstProof(stand, samples, excess, nextOffset) : 0
    const moved = samples !== own.counts[chunk[lane]]
    return {
      placed,
      cost: price,
      gap,
      next: {
        lane: nextLane,
        offset: nextOffset,
        chunk: chunk.map((value, i) => (i === lane ? value + 1 : value)),
        sample: sample.map((value, i) => (i === lane ? value + samples : value)),
        carried: moved
          ? carried.map((value, i) => (i === lane ? ([own.runs[chunk[lane]], samples] as const) : value))
          : carried,
      },
    }
  }

  /** Whether what is left of a block lies between a chunk and the next. */
  #isPadded({ lane, offset, sample }: Stand, samples: number, excess: number, next: number): boolean {
    return this.#block > 1 && offset + this.#lanes[lane].bytes(sample[lane], samples) + excess < next
  }

  /** What it costs that the bytes of a chunk speak against what is assumed of its samples. */
  #againstProof({ lane, offset, sample }: Stand, samples: number, excess: number, end: number): number {
    const { sizes } = this.#lanes[lane]
    if (sizes.length === 0 || samples > MAX_PROVEN) return 0
    const first = sample[lane]
    const asIs = this.#asked(`${lane} ${offset} ${first} ${samples}`, () =>
      this.#proof.areSamples(lane, offset, sizes.subarray(first, first + samples)),
    )
    if (excess === 0) return asIs === false ? AGAINST_PROOF : 0
    if (asIs) return AGAINST_PROOF
    const reach = this.#asked(`${lane} ${offset} to ${end}`, () => this.#proof.reach(lane, offset, end))
    return reach === false ? AGAINST_PROOF : 0
  }

  #asked(question: string, ask: () => boolean | undefined): boolean | undefined {
    if (!this.#proofs.has(question)) this.#proofs.set(question, ask())
    return this.#proofs.get(question)
  }

  /** Chunks of other tracks that should have come first: their offsets would be wrong, too. */
  #passed(stand: Stand, nextLane: number, nextOffset: number): number {
    let passed = 0
    for (let lane = 0; lane < this.#lanes.length; lane++) {
      const offset = this.#next(stand, lane)
      if (lane !== nextLane && offset !== undefined && offset > stand.offset && offset < nextOffset) passed++
    }
    return passed
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
      if (good >= horizon || !this.#may(this.#lanes.length)) return good - doubts
      if (!this.#mayStart(stand.lane, stand.offset)) doubts += DOUBT
      const step = this.#free(stand)
      if (step) {
        // The last chunk is off by a bit, or holds a size that is, when it leads out of the media.
        if (!step.next) return horizon - doubts - (this.#isPayload(step.placed) ? 0 : PRICE)
        stand = step.next
        continue
      }
      // The rest is taken to be in order, but for the fault at hand: whoever looks less far shall not gain by it.
      if (depth === 0) return horizon - PRICE * UNEXPLAINED - doubts
      const best = this.#best(this.#options(stand), horizon - good, depth - 1)
      return good + (best?.score ?? -horizon) - doubts
    }
  }
}

/** True when one flipped bit makes a size larger by `excess`, which may be negative. */
function flipsTo(size: number, excess: number): boolean {
  const step = Math.abs(excess)
  if (!isPowerOfTwo(step) || step > 0x8000_0000) return false
  const set = Math.floor(size / step) % 2 === 1
  return excess < 0 ? set : !set
}

/** Bits of a chunk offset that are tried. */
const OFFSET_BITS = 40
/** Largest error of a size that is not a single bit. */
const MAX_EXCESS = 2 ** 32
/** Faults in one file, and for every chunk, from which on its index is not mended entry by entry. */
const MAX_FAULTS = 512
const FEW_FAULTS = 16
const FAULTS = 0.5
