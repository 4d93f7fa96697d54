import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import type { MarkerColumns } from '../../codecs/jpeg/marker-columns.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { Allowance } from '../../model/allowance.ts'
import type { ColouredSection } from '../levels/colour.ts'
import { medianOf } from '../statistics.ts'
import { McuSides, type Side } from './mcu-sides.ts'
import type { McuStream } from './read-stream.ts'

/** MCUs behind a section's first one from which it is read back, and those that tell how far MCUs are off their neighbours. */
const SURE = 3
const LEARNED = 48
const LEAST_LEARNED = 4
/**
 * An MCU no farther off than so many times what is usual, and levels, is one of the picture; levels from which on no more count.
 */
const USUAL_FACTOR = 2.5
const USUAL_LEVELS = 4
const MOST_OFF = 80
/** How much less than the best a way may be worth to be gone on with. */
const MOST_BEHIND = 40
/** Usual MCUs, and bits, in front of the last place gone on with from which one is looked for. */
const LONGEST_MCU = 4
const LEAST_BITS = 2_048
/** Bits that are gone back at most, and places gone on with. */
const MOST_BITS = 1 << 16
const MOST_PLACES = 1 << 13
const BYTE = 8

/** A scan whose sections have their places and levels. */
export interface PlacedScan {
  readonly stream: McuStream
  readonly source: Int32Array
  readonly sections: readonly ColouredSection[]
}

/** An MCU that leads to a section: its first bit, the place it leads to, and what the way up to there is worth. */
interface Step {
  readonly bit: number
  readonly next: Step | undefined
  readonly place: number
  readonly worth: number
  /** DC that its differences are told from, by component, with the section's own offset. */
  readonly before: Int32Array
  readonly left: Float32Array
}

/**
 * Reads what lies in front of sections behind damage once more: now that their places and levels are known, neighbours on three
 * sides tell which of many readings that lead there are right.
 */
export class FrontReader {
  readonly #reader: McuReader
  readonly #layout: McuLayout
  readonly #sides: McuSides
  readonly #allowance: Allowance
  readonly #scratch: Int16Array
  readonly #differences: Int16Array
  readonly #still: Int32Array
  readonly #before: Int32Array
  readonly #level: Int32Array
  readonly #right: Float32Array
  readonly #row: Float32Array
  readonly #restarts: MarkerColumns
  /** Sides of MCUs above and below places, by place and side; null where there is none. */
  readonly #neighbours = new Map<number, Float32Array | null>()

  constructor(
    reader: McuReader,
    { restarts, length }: EntropyData,
    layout: McuLayout,
    quantisation: readonly ArrayLike<number>[],
    allowance: Allowance,
  ) {
    this.#reader = reader
    this.#restarts = restarts
    reader.end = length * BYTE
    this.#layout = layout
    this.#sides = new McuSides(layout, quantisation)
    this.#allowance = allowance
    this.#still = new Int32Array(layout.components.length)
    this.#before = this.#still.slice()
    this.#level = this.#still.slice()
    this.#right = this.#sides.room('right')
    this.#row = this.#sides.room('top')
    this.#scratch = new Int16Array(layout.mcuLength)
    this.#differences = new Int16Array(layout.blocksPerMcu)
  }

  /** The scan with what was found in front of its sections: MCUs behind those of the stream, in sections of their own. */
  read<Scan extends PlacedScan>(scan: Scan): Scan {
    const { stream, sections } = scan
    const source = scan.source.slice()
    const found = { ...scan, source }
    const more: ColouredSection[] = []
    let { count } = stream
    sections.forEach((section, index) => {
      const { first, place, known, dc } = section
      if (known || place <= 0 || source[place] !== first || source[place - 1] >= 0) return
      const before = sections[index - 1]
      const behind = before ? stream.starts[before.first + before.count - 1] : 0
      const from = Math.max(behind, this.#restartBefore(stream.starts[first]))
      const sure = Math.min(SURE, section.count - 1)
      const way = this.#wayTo(found, section, sure, from)
      if (!way) return
      const capacity = stream.coefficients.length / this.#layout.mcuLength
      for (let at = place; at < way.place; at++) source[at] = -1
      let own: ColouredSection | undefined
      for (let step: Step | undefined = way; step?.next; step = step.next) {
        const kept = first + step.place - place
        if (step.place >= place && stream.starts[kept] === step.bit) {
          source[step.place] = kept
          continue
        }
        if (count === capacity) break
        this.#absolute(step.bit, step.before)
        for (let block = 0; block < this.#layout.blocksPerMcu; block++)
          this.#scratch[block * BLOCK_COEFFICIENTS] -= dc[this.#layout.componentOf[block]]
        stream.coefficients.set(this.#scratch, count * this.#layout.mcuLength)
        stream.starts[count] = step.bit
        source[step.place] = count
        if (own && own.place + own.count === step.place) {
          own = { ...own, count: own.count + 1 }
          more[more.length - 1] = own
        } else {
          own = { first: count, count: 1, known: false, place: step.place, dc }
          more.push(own)
        }
        count++
      }
    })
    if (more.length === 0) return found
    return { ...found, stream: { ...stream, count }, sections: [...sections, ...more] }
  }

  /** The last restart up to a bit, or the scan's start. */
  #restartBefore(bit: number): number {
    let last = 0
    for (let i = 0; i < this.#restarts.count && this.#restarts.at(i) * BYTE <= bit; i++)
      last = this.#restarts.at(i) * BYTE
    return last
  }

  /** The way worth most to the MCU `sure` ones behind a section's first, from bit `from` on; undefined where none is told. */
  #wayTo(scan: PlacedScan, section: ColouredSection, sure: number, from: number): Step | undefined {
    const { starts, usualBits } = scan.stream
    const { first, place } = section
    this.#neighbours.clear()
    const usual = this.#usual(scan, section, sure)
    if (usual === undefined) return undefined
    const limit = USUAL_FACTOR * usual + USUAL_LEVELS
    const at = starts[first + sure]
    const steps = new Map<number, Step>()
    const last = this.#lastStep(scan, section, sure)
    steps.set(at, last)
    let best: Step | undefined = sure === 0 ? last : undefined
    let top = last.worth
    let lowest = at
    const reach = Math.max(LEAST_BITS, LONGEST_MCU * usualBits)
    const end = Math.max(from, at - MOST_BITS)
    for (let bit = at - 1; bit >= end && bit >= lowest - reach && steps.size < MOST_PLACES; bit--) {
      if (!this.#allowance.take()) break
      const after = this.#reader.pass(bit, this.#differences)
      const next = after < 0 ? undefined : steps.get(after)
      if (!next) continue
      const here = next.place - 1
      const own = here >= place && bit === starts[first + here - place]
      const least = own ? Number.NEGATIVE_INFINITY : top - MOST_BEHIND
      if (next.worth < least) continue
      // what is known in front of the section stays
      if (here < 0 || (here < place && scan.source[here] >= 0)) continue
      const step = this.#stepTo(scan, bit, next, limit, least)
      if (!step) continue
      steps.set(bit, step)
      lowest = bit
      top = Math.max(top, step.worth)
      if (here <= place && (!best || step.worth > best.worth)) best = step
    }
    return best
  }

  /** The MCU that reading back begins from. */
  #lastStep({ stream }: PlacedScan, { first, place, dc }: ColouredSection, sure: number): Step {
    const { mcuLength, components } = this.#layout
    const at = (first + sure) * mcuLength
    this.#reader.pass(stream.starts[first + sure], this.#differences)
    const before = Int32Array.from(
      components,
      ({ firstBlock }, component) =>
        stream.coefficients[at + firstBlock * BLOCK_COEFFICIENTS] +
        dc[component] -
        this.#differences[firstBlock],
    )
    const left = this.#sides.of('left', stream.coefficients, at, dc)
    return { bit: stream.starts[first + sure], next: undefined, place: place + sure, worth: 0, before, left }
  }

  /**
   * The MCU at a bit that leads to another, the one whose differences were read last; undefined where the way is worth less than
   * `least`.
   */
  #stepTo(scan: PlacedScan, bit: number, next: Step, limit: number, least: number): Step | undefined {
    const { componentOf, blocksPerMcu } = this.#layout
    const before = this.#before
    before.set(next.before)
    for (let block = 0; block < blocksPerMcu; block++) before[componentOf[block]] -= this.#differences[block]
    this.#absolute(bit, before)
    const place = next.place - 1
    const most = next.worth + limit - least
    const off = this.#off(scan, place, next.left, this.#scratch, 0, this.#still, most)
    const worth = next.worth + limit - Math.min(off ?? limit, MOST_OFF)
    if (worth < least) return undefined
    const left = this.#sides.of('left', this.#scratch, 0, this.#still)
    return { bit, next, place, worth, before: before.slice(), left }
  }

  /** Reads the MCU at a bit, with DC made absolute. */
  #absolute(bit: number, before: Int32Array): void {
    const { componentOf, blocksPerMcu } = this.#layout
    const scratch = this.#scratch
    scratch.fill(0)
    this.#reader.read(bit, scratch, 0)
    const level = this.#level
    level.set(before)
    for (let block = 0, at = 0; block < blocksPerMcu; block++, at += BLOCK_COEFFICIENTS) {
      level[componentOf[block]] += scratch[at]
      scratch[at] = level[componentOf[block]]
    }
  }

  /** How far a section's MCUs from one on are usually off their neighbours; undefined where that is not told. */
  #usual(scan: PlacedScan, { first, count, place, dc }: ColouredSection, from: number): number | undefined {
    const { coefficients } = scan.stream
    const { mcuLength } = this.#layout
    const values = new Float32Array(LEARNED)
    let told = 0
    for (let i = from; i + 1 < count && i < from + LEARNED; i++) {
      const at = (first + i) * mcuLength
      const right = this.#sides.of('left', coefficients, at + mcuLength, dc)
      const off = this.#off(scan, place + i, right, coefficients, at, dc)
      if (off !== undefined) values[told++] = off
    }
    return told < LEAST_LEARNED ? undefined : medianOf(values, told)
  }

  /**
   * Levels by which an MCU's sides differ from those beside, above and below it, on average; undefined where there are none. No
   * more are looked at once it is beyond `most`.
   */
  #off(
    scan: PlacedScan,
    place: number,
    right: Float32Array,
    coefficients: Int16Array,
    offset: number,
    dc: ArrayLike<number>,
    most = Number.POSITIVE_INFINITY,
  ): number | undefined {
    const { mcuWide } = this.#layout
    const beside = (place + 1) % mcuWide !== 0
    const above = this.#neighbour(scan, place - mcuWide, 'bottom')
    const below = this.#neighbour(scan, place + mcuWide, 'top')
    const count = (beside ? 1 : 0) + (above ? 1 : 0) + (below ? 1 : 0)
    if (count === 0) return undefined
    const own = (side: Side, into: Float32Array): Float32Array =>
      this.#sides.of(side, coefficients, offset, dc, into)
    let off = beside ? this.#sides.jump(true, own('right', this.#right), right) / count : 0
    if (above && off <= most) off += this.#sides.jump(false, own('top', this.#row), above) / count
    if (below && off <= most) off += this.#sides.jump(false, own('bottom', this.#row), below) / count
    return off
  }

  #neighbour(scan: PlacedScan, place: number, side: 'top' | 'bottom'): Float32Array | undefined {
    const key = 2 * place + (side === 'top' ? 1 : 0)
    let samples = this.#neighbours.get(key)
    if (samples === undefined) {
      samples = this.#sideAt(scan, place, side) ?? null
      this.#neighbours.set(key, samples)
    }
    return samples ?? undefined
  }

  #sideAt({ stream, source, sections }: PlacedScan, place: number, side: Side): Float32Array | undefined {
    const mcu = source[place] ?? -1
    const section = sections.find(({ first, count }) => mcu >= first && mcu < first + count)
    if (!section) return undefined
    return this.#sides.of(side, stream.coefficients, mcu * this.#layout.mcuLength, section.dc)
  }
}
