import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { LONGEST_RUN } from './scan-decoder.ts'

const DC_BITS = 11
const AC_BITS = 10
/** A run of empty blocks is coded with up to 14 bits, ITU-T T.81 §G.1.2.2. */
const END_OF_BAND_RUNS = 15

function word(bytes: Uint8Array, at: number): number {
  const byte = at >>> 3
  const shift = at & 7
  const high = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3]
  return (high << shift) | (bytes[byte + 4] >>> (8 - shift))
}

function signed(bits: number, size: number): number {
  return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits
}

/** Reads blocks of a progressive scan's first pass over some AC coefficients at any bit, T.81 §G.1.2.2. */
export class BandReader {
  readonly #bytes: Uint8Array
  readonly #table: Uint16Array
  readonly #header: ScanHeader
  /** Bits that may be read. */
  end: number
  /** Blocks behind the one read last that are empty in this band. */
  emptyBehind = 0

  constructor(bytes: Uint8Array, length: number, table: Uint16Array, header: ScanHeader) {
    this.#bytes = bytes
    this.#table = table
    this.#header = header
    this.end = length * 8
  }

  /**
   * Reads the block that begins at bit `position`, where zeros must be in `out` from `offset` on. Returns the bit behind it, or
   * -1.
   */
  read(position: number, out: Int16Array, offset: number): number {
    const { first, last, low } = this.#header
    let at = position
    this.emptyBehind = 0
    for (let i = first; i <= last; i++) {
      const bits = word(this.#bytes, at)
      const entry = this.#table[bits >>> 16]
      const length = entry >>> 8
      if (length === 0) return -1
      const run = (entry >>> 4) & 15
      const size = entry & 15
      at += length
      if (size === 0) {
        if (run < END_OF_BAND_RUNS) {
          const more = run === 0 ? 0 : (bits << length) >>> (32 - run)
          this.emptyBehind = (1 << run) - 1 + more
          at += run
          break
        }
        i += 15
        continue
      }
      i += run
      if (i > last || size > AC_BITS) return -1
      out[offset + i] = signed((bits << length) >>> (32 - size), size) * (1 << low)
      at += size
    }
    return at > this.end ? -1 : at
  }
}

/**
 * Reads MCUs of a progressive scan's first pass over DC at any bit, T.81 §G.1.2.1: the differences of its blocks, one behind the
 * other.
 */
export class DcReader {
  readonly #bytes: Uint8Array
  readonly #tables: readonly Uint16Array[]
  end: number

  /** `tables` of each block of an MCU. */
  constructor(bytes: Uint8Array, length: number, tables: readonly Uint16Array[]) {
    this.#bytes = bytes
    this.#tables = tables
    this.end = length * 8
  }

  /** Into `places` goes the bit behind each block's code, where its value is. */
  read(position: number, out: Int16Array, offset: number, places?: Int32Array): number {
    let at = position
    for (let block = 0; block < this.#tables.length; block++) {
      const bits = word(this.#bytes, at)
      const entry = this.#tables[block][bits >>> 16]
      const length = entry >>> 8
      const size = entry & 0xff
      if (length === 0 || size > DC_BITS) return -1
      out[offset + block] = size === 0 ? 0 : signed((bits << length) >>> (32 - size), size)
      if (places) places[block] = at + length
      at += length + size
    }
    return at > this.end ? -1 : at
  }

  /** As `read`, for what looks at differences of MCUs of any scan. */
  pass(position: number, differences: Int16Array, places?: Int32Array): number {
    return this.read(position, differences, 0, places)
  }
}

/**
 * Reads blocks of a progressive scan that refines AC coefficients at any bit, T.81 §G.1.2.3: codes of what is new, and a bit for
 * each coefficient that was there before. So a block can be read only where what is known of it so far is in place.
 */
export class RefinementReader {
  readonly #bytes: Uint8Array
  readonly #table: Uint16Array
  readonly #header: ScanHeader
  readonly #coefficients: Int16Array
  /** Bits that may be read. */
  end: number
  /** Blocks from the next one on that have no codes of their own. */
  emptyBehind = 0
  /**
   * The block read last begins a run of empty ones right behind another: bits that corrected coefficients in that; -1 where it
   * does not.
   */
  parted = -1
  /** The block read last is in a run, its first one too. */
  inRun = false
  /** Bits that corrected coefficients since the run began. */
  corrections = 0
  /** Blocks of the run. */
  #length = 0

  /** `coefficients`: of all blocks, as the scans before left them. */
  constructor(
    bytes: Uint8Array,
    length: number,
    table: Uint16Array,
    header: ScanHeader,
    coefficients: Int16Array,
  ) {
    this.#bytes = bytes
    this.#table = table
    this.#header = header
    this.#coefficients = coefficients
    this.end = length * 8
  }

  /**
   * Reads the block whose coefficients begin at `place` from bit `position` on, into them when `write`. Returns the bit behind
   * it, or -1.
   */
  read(position: number, place: number, write: boolean): number {
    const { first, last, low } = this.#header
    const unit = 1 << low
    let at = position
    let i = first
    const before = this.inRun && this.#length < LONGEST_RUN ? this.corrections : -1
    this.parted = -1
    if (this.emptyBehind > 0) this.emptyBehind--
    else {
      this.inRun = false
      for (; i <= last; i++) {
        const bits = word(this.#bytes, at)
        const entry = this.#table[bits >>> 16]
        const length = entry >>> 8
        const run = (entry >>> 4) & 15
        const size = entry & 15
        if (length === 0 || size > 1) return -1
        at += length
        if (size === 0 && run < END_OF_BAND_RUNS) {
          this.emptyBehind = (1 << run) - 1 + (run === 0 ? 0 : (bits << length) >>> (32 - run))
          at += run
          if (i === first) this.parted = before
          this.inRun = true
          this.corrections = 0
          this.#length = this.emptyBehind + 1
          break
        }
        const value = word(this.#bytes, at) < 0 ? unit : -unit
        at += size
        let zeros = run
        for (; i <= last; i++) {
          if (this.#coefficients[place + i] !== 0) at = this.#correct(at, place + i, unit, write)
          else if (zeros-- === 0) break
        }
        if (i > last || at > this.end) return -1
        if (write && size === 1) this.#coefficients[place + i] = value
      }
    }
    for (; i <= last; i++)
      if (this.#coefficients[place + i] !== 0) at = this.#correct(at, place + i, unit, write)
    return at > this.end ? -1 : at
  }

  /** Begins anew, at a block behind which a run that began before goes on for `run` blocks, this one among them. */
  restart(run = 0): void {
    this.emptyBehind = run
    this.inRun = false
    this.corrections = 0
  }

  #correct(at: number, index: number, unit: number, write: boolean): number {
    if (write && ((this.#bytes[at >>> 3] >>> (7 - (at & 7))) & 1) === 1) {
      const value = this.#coefficients[index]
      if ((Math.abs(value) & unit) === 0) this.#coefficients[index] = value + (value > 0 ? unit : -unit)
    }
    this.corrections++
    return at + 1
  }
}
