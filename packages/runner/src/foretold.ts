import type { CopyOrder } from './copy-order.ts'

/** A stretch that is likely to be ordered, and how many of its first bytes are copied. */
interface Stretch {
  readonly from: number
  readonly at: number
  length: number
  done: number
}

/**
 * What is likely to be ordered to be copied, in the order of its places in the target, none of which is named twice: what is
 * copied of it stays as it is until an order or somebody else writes there.
 */
export class Foretold {
  readonly #stretches: Stretch[] = []
  #current = 0

  /** Appends a stretch, or that part of it whose place is behind the last one's. */
  add(order: CopyOrder): void {
    const last = this.#stretches.at(-1)
    const end = last ? last.at + last.length : 0
    const taken = Math.max(0, end - order.at)
    const length = order.length - taken
    if (length <= 0) return
    const at = order.at + taken
    if (last && at === end && agree(last, order)) last.length += length
    else this.#stretches.push({ from: order.from + taken, at, length, done: 0 })
  }

  /** What is to be copied next, at most so many bytes; undefined when all is. */
  next(most: number): CopyOrder | undefined {
    const last = this.#stretches.length - 1
    // what is appended to the last one may make it longer still
    while (this.#current < last && isDone(this.#stretches[this.#current])) this.#current++
    const stretch = this.#stretches[this.#current]
    if (!stretch || isDone(stretch)) return undefined
    const { from, at, length, done } = stretch
    return { from: from + done, at: at + done, length: Math.min(most, length - done) }
  }

  /** Takes note that bytes are copied, as foretold or over what was. */
  copied(order: CopyOrder): void {
    const end = order.at + order.length
    for (let i = Math.max(0, this.#behind(order.at) - 1); i < this.#stretches.length; i++) {
      const stretch = this.#stretches[i]
      if (stretch.at >= end) return
      const before = Math.max(0, order.at - stretch.at)
      if (!agree(stretch, order)) stretch.done = Math.min(stretch.done, before)
      else if (before === stretch.done) stretch.done = Math.min(stretch.length, end - stretch.at)
    }
  }

  /** How many of the first bytes of an order are copied already; undefined where it is not as foretold. */
  there(order: CopyOrder): number | undefined {
    const stretch = this.#around(order)
    return stretch && Math.min(order.length, Math.max(0, stretch.from + stretch.done - order.from))
  }

  /** The stretch by which the source's byte `from` comes to lie at `at`. */
  #around(order: Placed): Stretch | undefined {
    const stretch = this.#stretches[this.#behind(order.at) - 1]
    return stretch && order.at < stretch.at + stretch.length && agree(stretch, order) ? stretch : undefined
  }

  /** The first stretch that begins behind a place in the target. */
  #behind(at: number): number {
    let low = 0
    for (let high = this.#stretches.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#stretches[middle].at > at) high = middle
      else low = middle + 1
    }
    return low
  }
}

type Placed = { readonly from: number; readonly at: number }

function agree(a: Placed, b: Placed): boolean {
  return a.at - a.from === b.at - b.from
}

function isDone({ done, length }: Stretch): boolean {
  return done === length
}
