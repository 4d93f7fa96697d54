import { flip, isOneBitApart, isPowerOfTwo } from '../bits.ts'
import type { ChunkOrder, Next, Stand } from './chunk-order.ts'
import type { ChunkSteps, Step } from './chunk-steps.ts'
import { COST } from './explanation-costs.ts'
import type { Looks } from './looks.ts'
import type { Lane } from './track-chunks.ts'

/** Looks at a chunk that may come next for every explanation by it. */
const LOOKS_A_NEXT = 4
/** Bits of a chunk offset that are tried. */
const OFFSET_BITS = 40
/** Largest error of a size that is not a single bit. */
const MAX_EXCESS = 2 ** 32

/** By how much the highest bit of a size changes it. */
const LARGEST_FLIP = 2 ** 31

/**
 * What may be wrong where a chunk does not end where another starts: a chunk's offset, the number of its samples, the size of one
 * of them, or nothing but a gap.
 */
export class ChunkFaults {
  readonly #lanes: readonly Lane[]
  /** Bytes of the file: no chunk is moved past its end. */
  readonly #size: number
  readonly #gapCost: number
  readonly #order: ChunkOrder
  readonly #steps: ChunkSteps
  readonly #looks: Looks

  /** @param gapCost of bytes between chunks that are nobody's, in flipped bits */
  constructor(
    lanes: readonly Lane[],
    size: number,
    gapCost: number,
    order: ChunkOrder,
    steps: ChunkSteps,
    looks: Looks,
  ) {
    this.#lanes = lanes
    this.#size = size
    this.#gapCost = gapCost
    this.#order = order
    this.#steps = steps
    this.#looks = looks
  }

  /** What may be wrong with the chunk or the start of the next, each with its cost. */
  options(stand: Stand): Step[] {
    const { lane, offset } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const steps: Step[] = []
    if (!this.#looks.may(this.#lanes.length)) return steps
    const nexts = this.#order.nexts(stand)
    if (nexts.length === 0) {
      const left = this.#order.left(stand)
      return left > 0
        ? [this.#steps.take(stand, left, 0, -1, offset + own.bytes(sample, left), COST.bit, false)]
        : []
    }
    for (const next of nexts) {
      const count = own.countOf(sample, next.offset - offset)
      if (count > 0)
        steps.push(
          this.#steps.take(
            stand,
            count,
            0,
            next.lane,
            next.offset,
            this.#order.countCost(stand, count),
            false,
          ),
        )
    }
    if (this.#order.isInBlocks) return [...steps, ...this.#paddedOptions(stand, nexts)]
    for (const { count, price } of this.#order.guesses(stand)) {
      if (!this.#looks.may(nexts.length * LOOKS_A_NEXT)) return steps
      const bytes = own.bytes(sample, count)
      if (bytes < 0) continue
      const end = offset + bytes
      // A number of samples that was guessed is right where it leads to a chunk; where the table's does, those passed over are
      // wrong.
      const met = this.#order.laneAt(stand, end)
      if (met >= 0) steps.push(this.#steps.take(stand, count, 0, met, end, price || COST.back, false))
      for (const next of nexts) {
        const bit = isOneBitApart(next.offset, end)
        if (end <= this.#size && (price === 0 || bit))
          steps.push(
            this.#steps.take(
              stand,
              count,
              0,
              next.lane,
              end,
              price + (bit ? COST.bit : COST.arbitrary),
              false,
            ),
          )
        if (own.sizes.length > 0) steps.push(...this.#resized(stand, count, bytes, next, price))
      }
      const gap = this.#order.nextStart(stand, end)
      if (gap)
        steps.push(this.#steps.take(stand, count, 0, gap.lane, gap.offset, price + this.#gapCost, true))
      const overlap = this.#order.nextStart(stand, offset + 1)
      if (overlap && overlap.offset < end)
        steps.push(
          this.#steps.take(stand, count, 0, overlap.lane, overlap.offset, price + COST.overlap, true),
        )
    }
    return [...steps, ...this.#countAndBit(stand, nexts)]
  }

  /** Sizes are wrong, and perhaps the start of the next chunk as well, which may then lie anywhere. */
  #resized(stand: Stand, count: number, bytes: number, next: Next, price: number): Step[] {
    const excess = next.offset - stand.offset - bytes
    const own = this.#lanes[stand.lane]
    const flip = isPowerOfTwo(Math.abs(excess))
      ? this.#flipCost(own, stand.sample[stand.lane], count, excess)
      : undefined
    // A number of samples that is a guess already is not put together with whatever else may be wrong.
    if (price > 0 && flip === undefined) return []
    const paid = price + (flip ?? COST.arbitrary)
    const resized =
      next.offset > stand.offset && excess < MAX_EXCESS
        ? [this.#steps.take(stand, count, excess, next.lane, next.offset, paid, false)]
        : []
    // no flipped bit leads back from a start that was zeroed
    const isDoubtful =
      price === 0 && next.offset > 0 && (flip === undefined || resized.some(({ cost }) => cost > paid))
    return isDoubtful ? [...resized, ...this.#bothWrong(stand, count, bytes, next, price)] : resized
  }

  /** The number of samples is wrong, and so is one bit of the next chunk's start or of a size. */
  #countAndBit(stand: Stand, nexts: readonly Next[]): Step[] {
    const { lane, offset } = stand
    const own = this.#lanes[lane]
    const sample = stand.sample[lane]
    const steps: Step[] = []
    for (const count of this.#order.rivals(stand)) {
      if (!this.#looks.may(nexts.length * LOOKS_A_NEXT)) return steps
      const end = offset + own.bytes(sample, count)
      const price = this.#order.countCost(stand, count)
      for (const next of nexts) {
        const excess = next.offset - end
        if (!isPowerOfTwo(Math.abs(excess))) continue
        if (end <= this.#size && isOneBitApart(next.offset, end))
          steps.push(this.#steps.take(stand, count, 0, next.lane, end, price + COST.bit, false))
        const flip = next.offset > offset ? this.#flipCost(own, sample, count, excess) : undefined
        if (flip !== undefined)
          steps.push(this.#steps.take(stand, count, excess, next.lane, next.offset, price + flip, false))
      }
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
    if (!this.#looks.may(nexts.length * OFFSET_BITS)) return steps
    const declared = own.counts[chunk]
    const others = new Set([
      ...Array.from({ length: 32 }, (_, bit) => flip(declared, bit)),
      this.#order.neighbour(lane, chunk, -1),
      this.#order.neighbour(lane, chunk, 1),
    ])
    for (const count of others) {
      const bytes = own.bytes(sample, count)
      const next = bytes > 0 ? this.#order.laneAt(stand, this.#order.blockAt(offset + bytes)) : -1
      if (next >= 0 && this.#order.blockAt(offset + bytes) > offset + bytes)
        steps.push(
          this.#steps.take(
            stand,
            count,
            0,
            next,
            this.#order.blockAt(offset + bytes),
            this.#order.countCost(stand, count),
            false,
          ),
        )
    }
    for (const { count, price } of this.#order.guesses(stand)) {
      const end = offset + own.bytes(sample, count)
      const up = this.#order.blockAt(end)
      for (const next of nexts) {
        if (isOneBitApart(next.offset, up) && up <= this.#size)
          steps.push(this.#steps.take(stand, count, 0, next.lane, up, price + COST.bit, false))
        if (own.sizes.length === 0 || next.offset <= offset) continue
        const excess = this.#flipInto(own, sample, count, end, next.offset)
        const cost = price + (excess === undefined ? COST.arbitrary : COST.bit)
        steps.push(
          this.#steps.take(stand, count, excess ?? next.offset - end, next.lane, next.offset, cost, false),
        )
      }
      const gap = this.#order.nextStart(stand, end)
      if (gap)
        steps.push(this.#steps.take(stand, count, 0, gap.lane, gap.offset, price + this.#gapCost, true))
    }
    return steps
  }

  /**
   * By how much one flipped bit of a size must change a chunk so that it ends in the block before `start`; undefined for none.
   */
  #flipInto(own: Lane, from: number, count: number, end: number, start: number): number | undefined {
    for (let power = 1; power < MAX_EXCESS; power *= 2) {
      for (const excess of [power, -power]) {
        if (this.#order.blockAt(end + excess) !== start) continue
        if (this.#flipCost(own, from, count, excess) !== undefined) return excess
      }
    }
    return undefined
  }

  /**
   * Sizes are wrong, and so is the start of the next chunk by one bit: where more than a bit of one size is, that chunk must end
   * well.
   */
  #bothWrong(stand: Stand, count: number, bytes: number, next: Next, price: number): Step[] {
    const steps: Step[] = []
    if (!this.#looks.may(OFFSET_BITS * this.#lanes.length)) return steps
    for (let bit = 0; bit < OFFSET_BITS; bit++) {
      const set = Math.floor(next.offset / 2 ** bit) % 2 === 1
      const start = next.offset + (set ? -(2 ** bit) : 2 ** bit)
      if (start <= stand.offset || start > this.#size) continue
      const excess = start - stand.offset - bytes
      const flip = this.#flipCost(this.#lanes[stand.lane], stand.sample[stand.lane], count, excess)
      if (flip === undefined && !this.#steps.free(this.#steps.after(stand, count, next.lane, start))) continue
      const sizes = flip ?? COST.arbitrary
      steps.push(this.#steps.take(stand, count, excess, next.lane, start, price + sizes + COST.bit, false))
    }
    return steps
  }

  /**
   * What it costs that a flipped bit in the size of one sample makes the chunk `excess` bytes larger; undefined where no size has
   * that bit. Less where that gives the sample the size that most of its track have.
   */
  #flipCost(own: Lane, from: number, count: number, excess: number): number | undefined {
    if (!this.#looks.may(count)) return undefined
    const step = Math.abs(excess)
    if (!isPowerOfTwo(step) || step > LARGEST_FLIP) return undefined
    let cost: number | undefined
    for (let i = from; i < from + count; i++) {
      const isSet = Math.floor(own.sizes[i] / step) % 2 === 1
      if (isSet === excess > 0) continue
      if (own.sizes[i] + excess === own.commonSize) return COST.restored
      cost = COST.bit
    }
    return cost
  }
}
