import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { type EntropyData, isFilling } from './entropy-data.ts'
import { BLOCK_COEFFICIENTS, type LayoutComponent, type McuLayout } from './mcu-layout.ts'
import type { HuffmanTables } from './tables.ts'

/** A component of a scan with the tables its blocks are coded with. */
interface ScanPart {
  readonly component: LayoutComponent
  readonly index: number
  readonly dc: Uint16Array | undefined
  readonly ac: Uint16Array | undefined
}

/** How far a scan could be read. */
export interface ScanProgress {
  /** MCUs of the scan read without a break, of all it has. */
  readonly read: number
  readonly total: number
  /** All of them were read, and nothing but padding lies behind the last. */
  readonly whole: boolean
  /**
   * A run of empty blocks in a refinement begins where the one in front could have gone on: that had corrected fewer coefficients
   * than another that did, and is shorter than another.
   */
  readonly parted: boolean
}

const BYTE = 8
const RESTARTS = 8
/** Blocks of the longest run, T.81 §G.1.2.2. */
export const LONGEST_RUN = 32_767
/** More corrections than encoders keep room for while a run goes on. */
const MOST_CORRECTIONS = 2_048

/**
 * Reads one scan of a sequential or progressive frame into `coefficients`, ITU-T T.81 Annex F and G, up to the first break; after
 * a restart marker it goes on. Where the scan holds more restart intervals than fit, or fewer, what is read stays in its place.
 */
export class ScanDecoder {
  readonly #layout: McuLayout
  readonly #coefficients: Int16Array
  readonly #header: ScanHeader
  readonly #parts: readonly ScanPart[]
  readonly #progressive: boolean
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #end = 0
  #endOfBand = 0
  /** Blocks and corrections of the run of empty blocks that may go on, undefined where the block in front ended with none. */
  #length = 0
  #corrections: number | undefined
  /**
   * Blocks of the shortest run with so many corrections that another follows, of the longest one, and the most corrections at
   * which one went on: encoders keep room for some number of them.
   */
  readonly #followed = new Uint16Array(MOST_CORRECTIONS).fill(LONGEST_RUN)
  #longest = 0
  #wentOn = 0
  readonly #predicted: Int32Array

  /** Undefined tables and components that the frame does not have make it impossible: see `possible`. */
  constructor(
    layout: McuLayout,
    coefficients: Int16Array,
    header: ScanHeader,
    tables: HuffmanTables,
    progressive: boolean,
  ) {
    this.#layout = layout
    this.#coefficients = coefficients
    this.#header = header
    this.#progressive = progressive
    this.#parts = header.components.flatMap(({ id, dc, ac }) => {
      const index = layout.components.findIndex((component) => component.id === id)
      if (index < 0) return []
      return [
        {
          component: layout.components[index],
          index,
          dc: tables.decoding(0, dc),
          ac: tables.decoding(1, ac),
        },
      ]
    })
    this.#predicted = new Int32Array(layout.components.length)
  }

  /** Components and tables that the scan names are there. */
  get possible(): boolean {
    const header = this.#header
    const needsDc = header.first === 0 && header.high === 0
    const needsAc = this.#progressive ? header.first > 0 : true
    if (this.#progressive && header.first > 0 && header.components.length > 1) return false
    return (
      this.#parts.length === header.components.length &&
      this.#parts.every(({ dc, ac }) => (!needsDc || dc) && (!needsAc || ac))
    )
  }

  /** MCUs of the scan: blocks of the component itself where it stands alone, T.81 §A.2. */
  get total(): number {
    const [part] = this.#parts
    return this.#parts.length === 1
      ? part.component.blocksWide * part.component.blocksHigh
      : this.#layout.mcuCount
  }

  /**
   * Decodes `data`; `interval` in MCUs between restart markers, 0 without. `passed` is told of each MCU with the bits it was read
   * from.
   */
  decode(
    data: EntropyData,
    interval: number,
    passed?: (mcu: number, from: number, to: number) => void,
  ): ScanProgress {
    this.#bytes = data.bytes
    const total = this.total
    const limit = data.length * BYTE
    const { restarts } = data
    const restartCount = interval > 0 ? restarts.count : 0
    let read = 0
    let whole = true
    let mcu = 0
    this.#at = 0
    for (let number = 0; mcu < total; number++) {
      this.#predicted.fill(0)
      this.#endOfBand = 0
      this.#corrections = undefined
      this.#end = number < restartCount ? restarts.at(number) * BYTE : limit
      const stop = interval > 0 ? Math.min(total, mcu + interval) : total
      let broken = false
      for (; mcu < stop && !broken; mcu++) {
        const from = this.#at
        if (!this.#mcu(mcu)) broken = true
        else {
          read++
          passed?.(mcu, from, this.#at)
        }
      }
      // a run of empty blocks that goes on behind the last one counts others than there are
      const filled = isFilling(data.bytes, this.#at, this.#end / BYTE)
      if (broken || !filled || this.#endOfBand > 0) whole = false
      if (mcu < stop) mcu = stop
      if (number >= restartCount) break
      this.#at = restarts.at(number) * BYTE
      const expected = number % RESTARTS
      const skipped = ((restarts.code(number) & 7) - expected + RESTARTS) % RESTARTS
      if (skipped > 0) {
        whole = false
        break
      }
    }
    const parted = this.#followed.subarray(0, this.#wentOn).some((length) => length < this.#longest)
    return { read, total, whole: whole && read === total, parted }
  }

  #mcu(mcu: number): boolean {
    if (this.#parts.length === 1) {
      const [part] = this.#parts
      const { component } = part
      const column = mcu % component.blocksWide
      const row = Math.floor(mcu / component.blocksWide)
      return this.#block(part, this.#layout.blockOffset(component, column, row))
    }
    const from = mcu * this.#layout.mcuLength
    for (const part of this.#parts) {
      const { h, v, firstBlock } = part.component
      for (let block = 0; block < h * v; block++) {
        if (!this.#block(part, from + (firstBlock + block) * BLOCK_COEFFICIENTS)) return false
      }
    }
    return true
  }

  #block(part: ScanPart, place: number): boolean {
    const { first, high } = this.#header
    let good: boolean
    if (!this.#progressive) good = this.#dcFirst(part, place, 0) && this.#acSequential(part, place)
    else if (first === 0)
      good = high === 0 ? this.#dcFirst(part, place, this.#header.low) : this.#dcRefine(place)
    else good = high === 0 ? this.#acFirst(part, place) : this.#acRefine(part, place)
    return good && this.#at <= this.#end
  }

  #dcFirst({ dc, index }: ScanPart, place: number, low: number): boolean {
    const size = this.#symbol(dc)
    if (size < 0 || size > 15) return false
    this.#predicted[index] += this.#signed(size)
    this.#coefficients[place] = this.#predicted[index] << low
    return true
  }

  #dcRefine(place: number): boolean {
    if (this.#bits(1) === 1) this.#coefficients[place] |= 1 << this.#header.low
    return true
  }

  #acSequential({ ac }: ScanPart, place: number): boolean {
    for (let i = 1; i < BLOCK_COEFFICIENTS; i++) {
      const symbol = this.#symbol(ac)
      if (symbol < 0) return false
      const size = symbol & 15
      const run = symbol >> 4
      if (size === 0) {
        if (run === 0) return true
        if (run !== 15) return false
        i += 15
        if (i >= BLOCK_COEFFICIENTS) return false
        continue
      }
      i += run
      if (i >= BLOCK_COEFFICIENTS) return false
      this.#coefficients[place + i] = this.#signed(size)
    }
    return true
  }

  /** T.81 §G.1.2.2. */
  #acFirst({ ac }: ScanPart, place: number): boolean {
    if (this.#endOfBand > 0) {
      this.#endOfBand--
      return true
    }
    const { first, last, low } = this.#header
    for (let i = first; i <= last; i++) {
      const symbol = this.#symbol(ac)
      if (symbol < 0) return false
      const size = symbol & 15
      const run = symbol >> 4
      if (size === 0) {
        if (run < 15) {
          this.#endOfBand = (1 << run) - 1 + this.#bits(run)
          return true
        }
        i += 15
        continue
      }
      i += run
      if (i > last) return false
      this.#coefficients[place + i] = this.#signed(size) * (1 << low)
    }
    return true
  }

  /** T.81 §G.1.2.3: correction bits of what is not zero yet stand between those of new coefficients. */
  #acRefine({ ac }: ScanPart, place: number): boolean {
    const { first, last, low } = this.#header
    const unit = 1 << low
    const coefficients = this.#coefficients
    let i = first
    if (this.#endOfBand > 0) this.#wentOn = Math.max(this.#wentOn, this.#corrections ?? 0)
    else {
      const before = this.#corrections
      this.#corrections = undefined
      while (i <= last) {
        const symbol = this.#symbol(ac)
        if (symbol < 0 || (symbol & 15) > 1) return false
        let run = symbol >> 4
        let value = 0
        if ((symbol & 15) === 0) {
          if (run < 15) {
            this.#endOfBand = (1 << run) + this.#bits(run)
            // past the room for corrections nothing is kept
            if (i === first && before !== undefined && this.#length < this.#followed[before])
              this.#followed[before] = this.#length
            this.#corrections = 0
            this.#length = this.#endOfBand
            this.#longest = Math.max(this.#longest, this.#length)
            break
          }
        } else value = this.#bits(1) === 1 ? unit : -unit
        for (; i <= last; i++) {
          if (coefficients[place + i] !== 0) this.#correct(place + i, unit)
          else if (run-- === 0) break
        }
        if (value !== 0) {
          if (i > last) return false
          coefficients[place + i] = value
        }
        i++
      }
    }
    if (this.#endOfBand > 0) {
      for (; i <= last; i++) if (coefficients[place + i] !== 0) this.#correct(place + i, unit)
      this.#endOfBand--
    }
    return true
  }

  #correct(place: number, unit: number): void {
    if (this.#corrections !== undefined) this.#corrections++
    if (this.#bits(1) === 0) return
    const value = this.#coefficients[place]
    if ((Math.abs(value) & unit) === 0) this.#coefficients[place] = value + (value > 0 ? unit : -unit)
  }

  /** The next symbol, -1 where no code begins or the data are at their end. */
  #symbol(table: Uint16Array | undefined): number {
    if (!table || this.#at > this.#end) return -1
    const entry = table[this.#word() >>> 16]
    if (entry < 256) return -1
    this.#at += entry >>> 8
    return entry & 0xff
  }

  #signed(size: number): number {
    if (size === 0) return 0
    const value = this.#bits(size)
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  }

  /** The next `count` bits, 0 to 16. */
  #bits(count: number): number {
    if (count === 0) return 0
    const value = this.#word() >>> (32 - count)
    this.#at += count
    return value
  }

  #word(): number {
    const byte = this.#at >>> 3
    const shift = this.#at & 7
    const bytes = this.#bytes
    return (
      (((bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]) << shift) |
      (bytes[byte + 4] >>> (8 - shift))
    )
  }
}
