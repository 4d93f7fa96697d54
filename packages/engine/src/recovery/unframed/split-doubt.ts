import type { ByteReader } from '../../bytes/reader.ts'
import type { UnitHabits } from './habits.ts'

/** Share of units that may end elsewhere, as their habits expect, without it being of note. */
const OF_NOTE = 0.01
/** Share of the bits by which a place is likelier that counts: habits are learned from the very units that they judge. */
const BELIEVED = 0.5
/** Two units longer together are not looked at: they may part anywhere. */
const LONGEST_PAIR = 1 << 13

/**
 * How many units that carry no length end elsewhere, as the habits of their track have it: of those that lie alone between units
 * whose ends are known nothing is left open, of others each place where the next may begin is weighed.
 */
export class SplitDoubt {
  readonly #reader: ByteReader
  readonly #habits: () => UnitHabits
  #units = 0
  /** Units expected to end elsewhere. */
  #wrong = 0
  /** Where the units of the run begin, and where its last one ends. */
  #run: number[] = []
  #end = 0
  #isOpenKnown = true

  constructor(reader: ByteReader, habits: () => UnitHabits) {
    this.#reader = reader
    this.#habits = habits
  }

  /** More of them may end elsewhere than is of no note. */
  get isOfNote(): boolean {
    return this.#wrong > this.#units * OF_NOTE
  }

  /** The next unit. */
  add(start: number, end: number): void {
    if (this.#run.length > 0 && start !== this.#end) this.close(false)
    this.#run.push(start)
    this.#end = end
  }

  /** Something else follows: `known` where it certainly begins there. */
  close(known: boolean): void {
    const run = this.#run
    this.#units += run.length
    if (run.length > 0) this.#wrong += (known ? 0 : 1) + (this.#isOpenKnown ? 0 : 1)
    for (let i = 1; i < run.length; i++) {
      const before = i > 1 ? run[i - 1] - run[i - 2] : 0
      this.#wrong += 2 * this.#elsewhere(run[i - 1], run[i], run[i + 1] ?? this.#end, before)
    }
    this.#run = []
    this.#isOpenKnown = known
  }

  /** Probability that two units part elsewhere than at `parted`, the one before them `before` bytes long. */
  #elsewhere(start: number, parted: number, end: number, before: number): number {
    if (end - start > LONGEST_PAIR) return 1
    const bytes = this.#reader.bytes(start, end - start).slice()
    const habits = this.#habits()
    const bits = (at: number): number =>
      habits.opening(this.#reader, start + at) +
      habits.closing(bytes[at - 1]) +
      habits.size(at, before) +
      habits.size(bytes.length - at, at)
    const here = bits(parted - start)
    let odds = 0
    for (let at = 1; at < bytes.length; at++)
      if (at !== parted - start && habits.begins(bytes[at])) odds += 2 ** (BELIEVED * (bits(at) - here))
    return odds / (1 + odds)
  }
}
