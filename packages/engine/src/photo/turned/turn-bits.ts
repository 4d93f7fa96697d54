import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../model/allowance.ts'
import { type EdgeMeans, edgeMeans } from '../levels/edge-means.ts'
import { Continuity } from '../reading/continuity.ts'
import type { Joint } from './joints.ts'
import { type Onward, OnwardPaths } from './onward-paths.ts'
import { RowFit } from './row-fit.ts'

const BLOCK = 8
type Nearness = readonly [before: number, behind: number]
/**
 * MCUs in which the bit is looked for, nearest to a break first, from so many in front of its ends up to so many behind: a break
 * shows late more often than early.
 */
const NEARNESS: readonly Nearness[] = [
  [4, 4],
  [12, 12],
  [24, 12],
]
const BACK = 28
/** Of those distances, beside joints that little alone shows. */
const NEAR_SUSPECTED = 2
/** MCUs behind a break with one of which reading is in step again. */
const FORWARD = 48
/** Bits looked at where nothing could be read. */
const MOST_BITS = 2_048
/** Outcomes of which it is looked whether MCUs at the bit gain: the best fitting ones, and those whose rows fit hardly worse. */
const MOST_LOOKED = 512
const NEARLY_ALIKE = 1.15
/** Of those that do, how many are looked at MCU by MCU, and how much worse than the best of them a row may fit. */
const MOST_OUTCOMES = 24
const ALIKE = 1.03
const ALIKE_LEVELS = 0.05
/** MCUs between are as even as those around, within this factor and levels; else the bit is looked for farther off. */
const EVEN = 1.3
const EVEN_LEVELS = 2
const MOST_COST = 64
/** What the borders between MCUs at a turned bit gain, of what DC changes by and of what they were where their number changes. */
const GAIN_OF_STEP = 0.25
const LEFT_OF_GARBAGE = 0.85
/** Where only DC changes, a row fits that much better at least, or those borders do as garbage's would: little else is chance. */
const CLEARLY_FITS = 0.65
/** MCUs beside those that change whose borders are compared, too. */
const BESIDE = 2
const NO_SHIFT = new Int32Array(4)

/** What turning a bit leads to. */
interface Outcome extends Onward {
  readonly bit: number
  /** The MCU that it is in. */
  readonly mcu: number
  readonly fit: number
}

export interface TurnInput {
  readonly bytes: Uint8Array
  readonly reader: McuReader
  readonly layout: McuLayout
  readonly quantisation: readonly ArrayLike<number>[]
  readonly coefficients: Int16Array
  readonly starts: Uint32Array
  readonly means: readonly EdgeMeans[]
}

/** What shows a joint: reading broke off or levels jump; or little alone. */
export type Sign = 'seen' | 'suspected'

/**
 * Bits that explain joints when they are turned, each once; only near joints that were not seen. Joints that none explains are
 * noted as `failed`, and passed over from then on.
 */
export function turnedBits(
  input: TurnInput,
  joints: readonly Joint[],
  allowance: Allowance,
  failed: Set<string>,
  sign: Sign = 'seen',
): number[] {
  const turner = new BitTurner(input, allowance)
  const nearness = sign === 'seen' ? NEARNESS : NEARNESS.slice(0, NEAR_SUSPECTED)
  const bits = new Set<number>()
  for (const joint of joints) {
    const name = `${input.starts[joint.stop - 1]}/${input.starts[joint.next]}/${sign}`
    if (failed.has(name)) continue
    const bit = turner.find(joint, nearness)
    if (bit === undefined) failed.add(name)
    else bits.add(bit)
  }
  return [...bits]
}

/**
 * Finds single bits that were turned: with the right one turned back, reading falls into step with what could be read behind the
 * break, and with exactly that many MCUs and those values of DC between by which a whole row goes on from the one above it.
 */
class BitTurner {
  readonly #input: TurnInput
  readonly #allowance: Allowance
  readonly #fit: RowFit
  readonly #continuity: Continuity
  readonly #one: Int16Array
  readonly #other: Int16Array

  constructor(input: TurnInput, allowance: Allowance) {
    this.#input = input
    this.#allowance = allowance
    this.#fit = new RowFit(input.means, input.layout, input.quantisation)
    this.#continuity = new Continuity(input.layout, input.quantisation)
    this.#one = new Int16Array(input.layout.mcuLength)
    this.#other = new Int16Array(input.layout.mcuLength)
  }

  /** The bit that explains a joint; undefined when none does. */
  find(joint: Joint, nearness: readonly Nearness[]): number | undefined {
    const { reader, layout, coefficients, starts } = this.#input
    const from = Math.max(joint.first + 1, joint.stop - BACK)
    const to = Math.min(joint.end, joint.next + FORWARD)
    if (to <= joint.next || from >= joint.stop) return undefined
    const targets = { first: joint.unbroken ? from + 1 : joint.next, end: to }
    const now = joint.unbroken ? this.#fit.mismatch(joint, joint.stop, joint.next, 0, NO_SHIFT) : undefined
    if (joint.unbroken && now === undefined) return undefined
    const paths = new OnwardPaths(
      reader,
      layout,
      coefficients,
      starts,
      starts[from],
      targets,
      this.#allowance,
    )
    const tried = new Set<number>()
    const last = joint.unbroken ? to - 1 : joint.brokenAt
    for (const [before, behind] of nearness) {
      const outcomes: Outcome[] = []
      for (const break_ of [joint.stop, joint.next]) {
        const end = Math.min(last, break_ + behind - 1)
        for (let mcu = Math.max(from, break_ - before); mcu <= end; mcu++) {
          if (tried.has(mcu)) continue
          tried.add(mcu)
          this.#turnWithin(joint, mcu, paths, now, outcomes)
        }
      }
      const best = this.#best(joint, from, outcomes, now)
      if (best !== undefined) return best
    }
    return undefined
  }

  /** Turns each bit of an MCU and notes what leads to rows that fit. */
  #turnWithin(
    joint: Joint,
    mcu: number,
    paths: OnwardPaths,
    now: number | undefined,
    outcomes: Outcome[],
  ): void {
    const { bytes, starts } = this.#input
    const broken = !joint.unbroken && mcu === joint.brokenAt
    const start = broken ? joint.brokenBit : starts[mcu]
    const behind = broken
      ? joint.brokenBit + MOST_BITS
      : mcu + 1 === joint.brokenAt
        ? joint.brokenBit
        : starts[mcu + 1]
    for (let bit = start; bit < Math.min(behind, 8 * bytes.length); bit++) {
      if (!this.#allowance.take()) return
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      const onward = paths.from(mcu, start)
      bytes[bit >> 3] ^= 0x80 >> (bit & 7)
      if (!onward) continue
      // what changes nothing behind explains nothing
      if (joint.unbroken && onward.shift === 0 && onward.dc.every((change) => change === 0)) continue
      const fit = this.#fit.mismatch(joint, mcu, onward.target, onward.shift, onward.dc)
      if (fit === undefined || fit > this.#fit.limit(joint, now)) continue
      outcomes.push({ ...onward, bit, mcu, fit })
    }
  }

  /**
   * Of outcomes that fit about equally well the one whose MCUs between are the most even; undefined when none is as even as those
   * around.
   */
  #best(joint: Joint, from: number, outcomes: Outcome[], now: number | undefined): number | undefined {
    outcomes.sort((a, b) => a.fit - b.fit)
    const asked = outcomes.slice(0, MOST_LOOKED)
    let most = asked.length > 0 ? asked[0].fit * NEARLY_ALIKE + ALIKE_LEVELS : 0
    const alike: Outcome[] = []
    for (const outcome of asked) {
      if (outcome.fit > most || alike.length === MOST_OUTCOMES) break
      if (now !== undefined && !this.#gains(joint, outcome, now)) continue
      if (alike.length === 0) most = Math.min(most, outcome.fit * ALIKE + ALIKE_LEVELS)
      alike.push(outcome)
    }
    let least = Number.POSITIVE_INFINITY
    let best: number | undefined
    for (const outcome of alike) {
      const cost = this.#cost(joint, from, outcome)
      if (cost < least) {
        least = cost
        best = outcome.bit
      }
    }
    return best !== undefined && least <= EVEN * this.#usualCost(joint, from) + EVEN_LEVELS ? best : undefined
  }

  /** Whether MCUs at a turned bit continue each other better than without it: a picture's own edge leaves a step of DC there. */
  #gains({ first, end }: Joint, { bit, mcu, target, shift, path, dc, fit }: Outcome, now: number): boolean {
    const { bytes, layout, quantisation } = this.#input
    const from = Math.max(first, mcu - BESIDE)
    const to = Math.min(end, target + BESIDE)
    const before = this.#jumps(this.#positions(from, to - from))
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const front = this.#positions(from, mcu - from)
    const after = this.#jumps([...front, ...path, ...this.#positions(target, to - target)])
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const even = after / (to - from + shift) <= (LEFT_OF_GARBAGE * before) / (to - from)
    if (shift !== 0 || (!even && fit > CLEARLY_FITS * now)) return even
    const step = layout.components.reduce(
      (sum, _, i) => sum + Math.abs(dc[i]) * (quantisation[i][0] / BLOCK),
      0,
    )
    return before - after >= Math.min(MOST_COST, GAIN_OF_STEP * step)
  }

  /** The sum of jumps between MCUs at bits `positions`. */
  #jumps(positions: readonly number[]): number {
    const { reader } = this.#input
    let sum = 0
    positions.forEach((position, index) => {
      this.#other.fill(0)
      reader.read(position, this.#other, 0)
      if (index > 0) sum += Math.min(MOST_COST, this.#continuity.jump(this.#one, this.#other))
      this.#one.set(this.#other)
    })
    return sum
  }

  /** How uneven MCUs are in front of a break, or a row above it where those are more so. */
  #usualCost(joint: Joint, from: number): number {
    const count = Math.max(0, joint.stop - BACK / 4 - from)
    const front = count < BACK / 4 ? EVEN_LEVELS : this.#costOf(joint, from, this.#positions(from, count))
    const above = joint.stop - BACK / 2 - this.#input.layout.mcuWide
    if (above < joint.first) return front
    return Math.max(front, this.#costOf(joint, above, this.#positions(above, BACK)))
  }

  #positions(from: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.#input.starts[from + i])
  }

  #cost(joint: Joint, from: number, { bit, mcu, target, path }: Outcome): number {
    const { bytes } = this.#input
    const near = Math.max(from, mcu - BACK / 4)
    const tail = Math.min(joint.end - target, BACK / 4)
    const positions = [...this.#positions(near, mcu - near), ...path, ...this.#positions(target, tail)]
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    const cost = this.#costOf(joint, near, positions)
    bytes[bit >> 3] ^= 0x80 >> (bit & 7)
    return cost
  }

  /**
   * How far MCUs at bits `positions` are from continuing each other and what lies above, the first one at `first`: levels, on
   * average.
   */
  #costOf(joint: Joint, first: number, positions: readonly number[]): number {
    const { reader, layout, quantisation, coefficients, means } = this.#input
    const { mcuLength, mcuWide, components, componentOf, blocksPerMcu } = layout
    const all = new Int16Array(positions.length * mcuLength)
    const level = Int32Array.from(components, ({ firstBlock, h, v }) =>
      first > joint.first
        ? coefficients[(first - 1) * mcuLength + (firstBlock + h * v - 1) * BLOCK_COEFFICIENTS]
        : 0,
    )
    let cost = 0
    positions.forEach((position, index) => {
      this.#other.fill(0)
      reader.read(position, this.#other, 0)
      if (index > 0) cost += Math.min(MOST_COST, this.#continuity.jump(this.#one, this.#other))
      this.#one.set(this.#other)
      all.set(this.#other, index * mcuLength)
      for (let block = 0; block < blocksPerMcu; block++) {
        const component = componentOf[block]
        level[component] += this.#other[block * BLOCK_COEFFICIENTS]
        all[index * mcuLength + block * BLOCK_COEFFICIENTS] = level[component]
      }
    })
    for (const [component, { bottom }] of means.entries()) {
      const { top } = edgeMeans(all, positions.length, layout, component, quantisation[component])
      for (let i = 0; i < positions.length; i++) {
        const above = first + i - mcuWide
        if (above >= joint.first && above < joint.stop)
          cost += Math.min(MOST_COST, Math.abs(bottom[above] - top[i]))
      }
    }
    return cost / Math.max(1, positions.length)
  }
}
