import { isFilling } from '../../codecs/jpeg/entropy-data.ts'
import type { Allowance } from '../../model/allowance.ts'
import { Continuity } from '../reading/continuity.ts'
import type { IntervalsInput } from './interval-fit.ts'

const BYTE = 8
/** Levels from which on a step counts no more. */
const MOST_JUMP = 64

/** Ways through the MCUs of a restart interval from any of its bits on, each MCU looked at once. */
export class JumpPaths {
  readonly #input: IntervalsInput
  readonly #end: number
  readonly #allowance: Allowance
  readonly #continuity: Continuity
  readonly #differences: Int16Array
  readonly #one: Int16Array
  readonly #other: Int16Array
  /** By the first bit of an MCU: the one behind it, and its jump to the MCU that begins there; -1 where none does. */
  readonly #next = new Map<number, number>()
  readonly #jumps = new Map<number, number>()
  /** MCUs from a bit on to the interval's end; none ends there where it is no number. */
  readonly #left = new Map<number, number>()

  /** `end`: the bit behind the interval. */
  constructor(input: IntervalsInput, end: number, allowance: Allowance) {
    this.#input = input
    this.#end = end
    this.#allowance = allowance
    this.#continuity = new Continuity(input.layout, input.quantisation)
    this.#differences = new Int16Array(input.layout.blocksPerMcu)
    this.#one = new Int16Array(input.layout.mcuLength)
    this.#other = new Int16Array(input.layout.mcuLength)
  }

  /** MCUs that can be read from a bit on if they end with the interval, else a number that is none. */
  left(from: number): number {
    const path: number[] = []
    let at = from
    let left = this.#left.get(at)
    while (left === undefined) {
      if (this.#isEnd(at)) left = isFilling(this.#input.data.bytes, at, this.#end / BYTE) ? 0 : Number.NaN
      else {
        const next = this.#after(at)
        path.push(at)
        at = next
        left = next < 0 ? Number.NaN : this.#left.get(next)
      }
    }
    for (let i = path.length - 1; i >= 0; i--) this.#left.set(path[i], ++left)
    return left
  }

  /**
   * Levels by which MCUs differ from those in front of them, on average: of those at bits `front`, of the one at `start` as its
   * bits are now, and of `most` from `next` on, which is behind it.
   */
  cost(front: readonly number[], start: number, next: number, most: number): number {
    let sum = 0
    for (let i = 0; i + 1 < front.length; i++) sum += this.#jump(front[i], front[i + 1])
    if (front.length > 0) sum += this.#look(front[front.length - 1], start)
    let count = front.length + 1
    if (this.#isEnd(next)) return sum / count
    sum += this.#look(start, next)
    count++
    let at = next
    for (let i = 1; i < most; i++, count++) {
      const behind = this.#after(at)
      if (behind < 0 || this.#isEnd(behind)) break
      sum += this.#jump(at, behind)
      at = behind
    }
    return sum / count
  }

  #isEnd(at: number): boolean {
    return this.#end - at < BYTE
  }

  /** The bit behind the MCU at a bit; -1 where none can be read. */
  #after(at: number): number {
    let next = this.#next.get(at)
    if (next === undefined) {
      next = this.#allowance.take() ? this.#input.reader.pass(at, this.#differences) : -1
      this.#next.set(at, next)
    }
    return next
  }

  #jump(at: number, next: number): number {
    let jump = this.#jumps.get(at)
    if (jump === undefined) {
      jump = this.#look(at, next)
      this.#jumps.set(at, jump)
    }
    return jump
  }

  /** The jump from the MCU at a bit to another. */
  #look(at: number, next: number): number {
    const { reader } = this.#input
    this.#one.fill(0)
    this.#other.fill(0)
    const read = reader.read(at, this.#one, 0) >= 0 && reader.read(next, this.#other, 0) >= 0
    return read ? Math.min(MOST_JUMP, this.#continuity.jump(this.#one, this.#other)) : MOST_JUMP
  }
}
