import { type EntropyData, isFilling } from '../../codecs/jpeg/entropy-data.ts'
import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { BLOCK_COEFFICIENTS } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { Continuity } from './continuity.ts'
import { type DamagedZone, damagedZones } from './damaged-zones.ts'
import { Resynchroniser } from './resynchronise.ts'

/**
 * MCUs that follow each other without a visible break: `first` and `count` among those of the stream. DC values are absolute from
 * the run's start on, or from each restart.
 */
export interface Run {
  readonly first: number
  readonly count: number
  readonly startBit: number
  readonly endBit: number
  /** The predictions of DC were zero at its start: the scan's or a restart interval's. */
  readonly fromRestart: boolean
  /** It ends with the last bit in front of a restart marker or of the scan's end. */
  readonly flush: boolean
  /** Its position modulo `step` is `phase`, by the numbers of restart markers; step 1 where nothing is known. */
  readonly step: number
  readonly phase: number
  /** Bits of it were read up to damage: what comes last may be invented. */
  readonly broken: boolean
}

/** All MCUs that could be read, in the order of the scan. */
export interface McuStream {
  readonly coefficients: Int16Array
  readonly count: number
  readonly runs: readonly Run[]
  /** The first bit of each MCU. */
  readonly starts: Uint32Array
  /** Bits of a usual MCU. */
  readonly usualBits: number
}

/**
 * Memory of streams that are read one after another: each takes what the one before it had, of which nothing may be asked any
 * more.
 */
export class StreamMemory {
  #coefficients = new Int16Array(0)
  #starts = new Uint32Array(0)

  /** So many coefficients of value 0. */
  coefficients(count: number): Int16Array {
    if (this.#coefficients.length === count) this.#coefficients.fill(0)
    else this.#coefficients = new Int16Array(count)
    return this.#coefficients
  }

  /** Room for the first bits of so many MCUs. */
  starts(count: number): Uint32Array {
    if (this.#starts.length !== count) this.#starts = new Uint32Array(count)
    return this.#starts
  }
}

/** MCUs of a stream beyond those of the picture: inserted bytes give some. */
const SPARE_MCUS = 4_096
/** Readings of MCUs that looking for the way may take, for each MCU of the picture and at least. */
const STEPS_PER_MCU = 16
const LEAST_STEPS = 1_000_000
/** Runs that end in damage: after so many nothing can be told any more. */
const MOST_BROKEN_RUNS = 4_096
const RESTART_NUMBERS = 8
/** MCUs in a row without detail, in a stretch of equal bytes, by which it is told from damage. */
const FLAT_MCUS = 2
/** Bytes at its start that may be the end of detail in front, equal by chance. */
const MAY_BE_DETAIL = 4
/**
 * Equal bytes in a row that are surely none of the picture's, and usual MCUs that must lie between two such stretches to be read.
 */
const LEAST_OVERWRITTEN = 128
const LEAST_BETWEEN = 6
/** Bits in the last byte in front of a marker. */
const BYTE = 8

/** What the numbers of restart markers tell of a place: it is `phase` modulo `step`. */
interface RestartPlace {
  readonly step: number
  readonly phase: number
  /** Of the restart marker behind: where what reaches up to it ends, modulo `step`; -1 when there is none. */
  readonly endPhase: number
}

const NO_RESTARTS: RestartPlace = { step: 1, phase: 0, endPhase: -1 }

interface OpenRun {
  first: number
  startBit: number
  fromRestart: boolean
  step: number
  phase: number
}

/** Reads a sequential scan's entropy-coded data into runs of MCUs, finding the way again behind damage. */
export class StreamReader {
  readonly #data: EntropyData
  readonly #reader: McuReader
  readonly #layout: McuLayout
  readonly #interval: number
  readonly #zones: readonly DamagedZone[]
  readonly #resynchroniser: Resynchroniser
  readonly #coefficients: Int16Array
  readonly #capacity: number
  readonly #usual: number
  /** What the data begin with goes on from MCUs that are gone. */
  readonly #frontLost: boolean
  readonly #runs: Run[] = []
  readonly #predicted: Int32Array
  readonly #starts: Uint32Array
  #count = 0
  #broken = 0
  #zone = 0

  constructor(
    data: EntropyData,
    reader: McuReader,
    layout: McuLayout,
    interval: number,
    quantisation: readonly ArrayLike<number>[],
    memory: StreamMemory = new StreamMemory(),
    frontLost = false,
  ) {
    this.#frontLost = frontLost
    this.#data = data
    this.#reader = reader
    this.#layout = layout
    this.#interval = interval
    this.#zones = damagedZones(data)
    const steps = Math.max(LEAST_STEPS, STEPS_PER_MCU * layout.mcuCount)
    this.#resynchroniser = new Resynchroniser(
      reader,
      layout.mcuLength,
      new Allowance(steps),
      new Continuity(layout, quantisation),
    )
    // a block takes two bits at least
    const possible = Math.ceil((data.length * BYTE) / (2 * layout.blocksPerMcu)) + 1
    this.#capacity = Math.min(layout.mcuCount + SPARE_MCUS, possible)
    this.#coefficients = memory.coefficients(this.#capacity * layout.mcuLength)
    this.#predicted = new Int32Array(layout.components.length)
    this.#starts = memory.starts(this.#capacity)
    this.#usual = Math.max(2 * layout.blocksPerMcu, (data.length * BYTE) / layout.mcuCount)
  }

  read(): McuStream {
    if (this.#interval > 0) this.#readIntervals()
    else this.#readStretch(0, this.#data.length * BYTE, NO_RESTARTS, Number.POSITIVE_INFINITY, true)
    const starts = this.#starts
    return {
      coefficients: this.#coefficients,
      count: this.#count,
      runs: this.#runs,
      starts,
      usualBits: this.#usual,
    }
  }

  /** Each restart interval on its own, ITU-T T.81 §E.2.4: damage in one does not reach the next. */
  #readIntervals(): void {
    const { restarts, length } = this.#data
    const step = RESTART_NUMBERS * this.#interval
    let from = 0
    // the first interval has no marker, and stands where one numbered 7 would
    let number = RESTART_NUMBERS - 1
    for (let i = 0; i <= restarts.count && this.#broken < MOST_BROKEN_RUNS; i++) {
      const to = i < restarts.count ? restarts.at(i) : length
      const phase = ((number + 1) % RESTART_NUMBERS) * this.#interval
      const endPhase = i < restarts.count ? (((restarts.code(i) & 7) + 1) * this.#interval) % step : -1
      const place = { step, phase, endPhase }
      this.#readStretch(from * BYTE, to * BYTE, place, this.#interval, i === restarts.count)
      if (i < restarts.count) {
        from = to
        number = restarts.code(i) & 7
      }
    }
  }

  /** Reads from a restart (or the scan's start) up to the next marker, at most `most` MCUs. */
  #readStretch(start: number, end: number, place: RestartPlace, most: number, last: boolean): void {
    const { mcuLength } = this.#layout
    this.#reader.end = end
    while (this.#zone < this.#zones.length && this.#zones[this.#zone].to * BYTE <= start) this.#zone++
    let run: OpenRun = {
      first: this.#count,
      startBit: start,
      ...(start === 0 && this.#frontLost
        ? { fromRestart: false, step: 1, phase: 0 }
        : { fromRestart: true, step: place.step, phase: place.phase }),
    }
    let at = start
    let behind = start
    this.#predicted.fill(0)
    for (;;) {
      const done = this.#count - run.first
      if (this.#count >= this.#layout.mcuCount && this.#isFilling(at, end)) break
      if (at >= end || this.#count >= this.#capacity || this.#broken >= MOST_BROKEN_RUNS) break
      if (run.fromRestart && done === most) {
        if (this.#isFilling(at, end)) break
        // there is more than the interval: a marker was lost, or what was read was invented
        this.#close(run, at, end, true, last)
        at = this.#resume(at, end)
        if (at < 0) return
        this.#predicted.fill(0)
        run = { first: this.#count, startBit: at, fromRestart: false, step: 1, phase: 0 }
        continue
      }
      const zone = this.#zones[this.#zone]
      const limit = zone ? zone.from * BYTE : Number.POSITIVE_INFINITY
      const after = this.#reader.read(at, this.#coefficients, this.#count * mcuLength)
      if (after >= 0 && (after <= limit || this.#flatThrough(after, zone))) {
        this.#integrate()
        this.#starts[this.#count++] = at
        at = after
        if (zone && at >= zone.to * BYTE) this.#zone++
        continue
      }
      this.#clear()
      if (after < 0 && end - at < BYTE) break
      this.#close(run, at, end, true, last)
      behind = at + 1
      if (zone && (after > limit || zone.from * BYTE <= at + 64)) {
        behind = Math.max(behind, zone.to * BYTE)
        this.#zone++
      }
      at = this.#resume(behind, end)
      if (at < 0) return
      while (this.#zone < this.#zones.length && this.#zones[this.#zone].to * BYTE <= at) this.#zone++
      this.#predicted.fill(0)
      // what is behind damage ends at the marker: its start is told by that, once its length is known
      run = { first: this.#count, startBit: at, fromRestart: false, step: 1, phase: 0 }
    }
    this.#close(run, at, end, false, last, place)
  }

  /**
   * The first bit from `from` on at which reading goes on, before `end`; -1 when there is none. What is overwritten bounds what
   * is looked at.
   */
  #resume(from: number, end: number): number {
    let start = from
    for (let i = this.#zone; i < this.#zones.length; i++) {
      const zone = this.#zones[i]
      if (zone.from * BYTE >= end) break
      if ((!zone.foreign && zone.to - zone.from < LEAST_OVERWRITTEN) || zone.to * BYTE <= start) continue
      if (zone.from * BYTE - start >= LEAST_BETWEEN * this.#usual) {
        const found = this.#resynchroniser.find(start, zone.from * BYTE, this.#usual)
        if (found >= 0) return found
      }
      start = Math.max(start, zone.to * BYTE)
    }
    return this.#resynchroniser.find(start, end, this.#usual)
  }

  /** Ends a run; one behind damage that reaches the next restart marker in step gets its place from there. */
  #close(run: OpenRun, at: number, end: number, broken: boolean, last: boolean, place?: RestartPlace): void {
    const count = this.#count - run.first
    if (count === 0) return
    const flush = broken ? end - at < BYTE && end - at >= 0 : this.#isFilling(at, end)
    let { step, phase } = run
    if (!run.fromRestart && place && place.endPhase >= 0 && flush) {
      step = place.step
      phase = (((place.endPhase - count) % step) + step) % step
    }
    const complete = flush && (!run.fromRestart || last || count === this.#interval)
    if (broken) this.#broken++
    this.#runs.push({
      first: run.first,
      count,
      startBit: run.startBit,
      endBit: at,
      fromRestart: run.fromRestart,
      flush: complete,
      step,
      phase,
      broken: broken || !complete,
    })
  }

  /** Whether nothing is left of a stretch but what fills it up: `at` and `end` in bits. */
  #isFilling(at: number, end: number): boolean {
    return isFilling(this.#data.bytes, at, end / BYTE)
  }

  /** Makes the differences of DC of the MCU just read absolute. */
  #integrate(): void {
    const { mcuLength, blocksPerMcu, componentOf } = this.#layout
    let at = this.#count * mcuLength
    for (let block = 0; block < blocksPerMcu; block++, at += BLOCK_COEFFICIENTS) {
      const component = componentOf[block]
      const value = ((this.#predicted[component] + this.#coefficients[at]) << 16) >> 16
      this.#predicted[component] = value
      this.#coefficients[at] = value
    }
  }

  /** True when the MCUs that the stretch of equal bytes would hold have no detail: then they may be the picture's. */
  #flatThrough(position: number, zone: DamagedZone): boolean {
    if (zone.foreign) return false
    const { mcuLength } = this.#layout
    const scratch = new Int16Array(mcuLength)
    let at = position
    for (let flat = 0; flat < FLAT_MCUS; ) {
      // nothing follows what is flat up to the end
      if (this.#isFilling(at, this.#reader.end)) return true
      const mayBeDetail = at < (zone.from + MAY_BE_DETAIL) * BYTE
      scratch.fill(0)
      at = this.#reader.read(at, scratch, 0)
      if (at < 0) return false
      if (at > zone.to * BYTE) return true
      const isFlat = scratch.every((value, i) => value === 0 || i % BLOCK_COEFFICIENTS === 0)
      if (!isFlat && !mayBeDetail) return false
      flat = isFlat ? flat + 1 : 0
    }
    return true
  }

  #clear(): void {
    const { mcuLength } = this.#layout
    this.#coefficients.fill(0, this.#count * mcuLength, (this.#count + 1) * mcuLength)
  }
}
