import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../codecs/jpeg/mcu-reader.ts'
import { Continuity } from './continuity.ts'
import { changesOf } from './dc-changes.ts'
import { medianOf } from './statistics.ts'

const BLOCK = 8
/** MCUs in front of a step and behind its first MCU in which its cause may be. */
const ASIDE = 4
/** How far a step may be from what a bit changes: a part of it, and levels by which rows of a picture are off anyway. */
const OFF_PART = 0.25
const OFF_LEVELS = 1
/** MCUs on each side that tell how well they usually continue each other, and how much worse what was read wrong does. */
const AROUND = 24
const WORSE = 3
const WORSE_LEVELS = 12

/** Whether a component may be so many levels too high from an MCU of the stream on. */
export type MayStep = (mcu: number, component: number, levels: number) => boolean

interface CauseInput {
  readonly reader: McuReader
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly starts: Uint32Array
  readonly count: number
}

/**
 * Whether something in the data can be the cause of a step of DC: a bit of a difference that changes it by as much, or MCUs that do not continue
 * each other since they were read wrong. What the picture itself shows has no cause.
 */
export class StepCauses {
  readonly #input: CauseInput
  readonly #continuity: Continuity
  readonly #one: Int16Array
  readonly #other: Int16Array

  constructor(input: CauseInput) {
    this.#input = input
    this.#continuity = new Continuity(input.layout, input.quantisation)
    this.#one = new Int16Array(input.layout.mcuLength)
    this.#other = new Int16Array(input.layout.mcuLength)
  }

  /** Whether a component may be `levels` too high from MCU `mcu` of the stream on. */
  explain(mcu: number, component: number, levels: number): boolean {
    const { count, quantisation } = this.#input
    const unit = quantisation[component][0] / BLOCK
    const off = OFF_PART * Math.abs(levels) + OFF_LEVELS
    for (let at = Math.max(0, mcu - ASIDE); at <= Math.min(count - 1, mcu + ASIDE); at++)
      for (const { change } of changesOf(this.#input, at, component))
        if (Math.abs(change * unit + levels) <= off) return true
    return this.#readWrong(mcu)
  }

  #readWrong(mcu: number): boolean {
    const { count } = this.#input
    const from = Math.max(1, mcu - AROUND)
    const to = Math.min(count, mcu + AROUND)
    const jumps: number[] = []
    let most = 0
    for (let at = from; at < to; at++) {
      const jump = this.#jump(at)
      jumps.push(jump)
      if (Math.abs(at - mcu) <= ASIDE) most = Math.max(most, jump)
    }
    return most > WORSE * medianOf(Float32Array.from(jumps)) + WORSE_LEVELS
  }

  #jump(mcu: number): number {
    const { reader, starts } = this.#input
    this.#one.fill(0)
    this.#other.fill(0)
    reader.read(starts[mcu - 1], this.#one, 0)
    reader.read(starts[mcu], this.#other, 0)
    return this.#continuity.jump(this.#one, this.#other)
  }
}
