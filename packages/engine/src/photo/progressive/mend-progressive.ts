import { BLOCK_COEFFICIENTS, type LayoutComponent, type McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { BandReader, DcReader } from '../../codecs/jpeg/progressive-readers.ts'
import { Allowance } from '../../model/allowance.ts'
import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { medianOf } from '../statistics.ts'
import { readBothEnds, type ScanData, type TwoEnds } from './mend-band.ts'

/** Readings that finding the way in one scan may take, for each unit it has and at least. */
const STEPS_PER_UNIT = 8
const LEAST_STEPS = 50_000

function allowanceOf(units: number): Allowance {
  return new Allowance(Math.max(LEAST_STEPS, STEPS_PER_UNIT * units))
}

/**
 * Reads a damaged first scan of some AC coefficients of one component into `coefficients`, in place of what they hold of them: what lies
 * in front of damage and what lies behind it. What is between stays without this detail.
 */
export function mendBand(
  data: ScanData,
  layout: McuLayout,
  component: LayoutComponent,
  table: Uint16Array,
  header: ScanHeader,
  coefficients: Int16Array,
): TwoEnds {
  const total = component.blocksWide * component.blocksHigh
  const reader = new BandReader(data.bytes, data.length, table, header)
  const ends = readBothEnds(data, reader, total, BLOCK_COEFFICIENTS, allowanceOf(total))
  for (let row = 0; row < component.blocksHigh; row++) {
    for (let column = 0; column < component.blocksWide; column++) {
      const at = layout.blockOffset(component, column, row)
      coefficients.fill(0, at + header.first, at + header.last + 1)
    }
  }
  const write = (start: number, first: number, until: number): void => {
    for (let at = start, block = first; block < until; block += reader.emptyBehind + 1) {
      const row = Math.floor(block / component.blocksWide)
      at = reader.read(at, coefficients, layout.blockOffset(component, block % component.blocksWide, row))
      if (at < 0) return
    }
  }
  write(0, 0, Math.min(ends.head, total))
  if (ends.tailStart >= 0) write(ends.tailStart, total - ends.tail, total)
  return ends
}

/**
 * Reads a damaged first scan of DC into `coefficients`: what lies in front of damage, and what lies behind it with the DC that makes its first
 * row follow the row above. Sets those MCUs of `missing` to 1 that lie between; returns MCUs whose colour is estimated.
 */
export function mendDc(
  data: ScanData,
  layout: McuLayout,
  tables: readonly Uint16Array[],
  low: number,
  coefficients: Int16Array,
  missing: Uint8Array,
): number {
  const { mcuCount, blocksPerMcu } = layout
  const reader = new DcReader(data.bytes, data.length, tables)
  const ends = readBothEnds(data, reader, mcuCount, blocksPerMcu, allowanceOf(mcuCount))
  const writer = new DcWriter(reader, layout, low, coefficients)
  writer.write(0, 0, ends.head)
  const from = ends.tailStart < 0 ? mcuCount : Math.max(ends.head, mcuCount - ends.tail)
  missing.fill(1, ends.head, from)
  if (ends.tailStart < 0) return ends.hit ? ends.head : 0
  writer.write(ends.tailStart, mcuCount - ends.tail, mcuCount)
  writer.follow(from, ends.head)
  return mcuCount - from
}

class DcWriter {
  readonly #reader: DcReader
  readonly #layout: McuLayout
  readonly #low: number
  readonly #coefficients: Int16Array

  constructor(reader: DcReader, layout: McuLayout, low: number, coefficients: Int16Array) {
    this.#reader = reader
    this.#layout = layout
    this.#low = low
    this.#coefficients = coefficients
  }

  /** DC of MCUs from `first` up to `until`, read from bit `start` on, from zero. */
  write(start: number, first: number, until: number): void {
    const { blocksPerMcu, mcuLength, componentOf, components } = this.#layout
    const differences = new Int16Array(blocksPerMcu)
    const predicted = new Int32Array(components.length)
    let at = start
    for (let mcu = first; mcu < until; mcu++) {
      at = this.#reader.read(at, differences, 0)
      if (at < 0) return
      for (let block = 0; block < blocksPerMcu; block++) {
        predicted[componentOf[block]] += differences[block]
        this.#coefficients[mcu * mcuLength + block * BLOCK_COEFFICIENTS] =
          predicted[componentOf[block]] << this.#low
      }
    }
  }

  /** Adds to DC from MCU `from` on what makes its first row follow the nearest known one above, which ends before `known`. */
  follow(from: number, known: number): void {
    const { mcuWide, mcuCount, mcuLength, components } = this.#layout
    for (const { firstBlock, h, v } of components) {
      const upper = (firstBlock + (v - 1) * h) * BLOCK_COEFFICIENTS
      const lower = firstBlock * BLOCK_COEFFICIENTS
      const differences = new Float32Array(mcuWide)
      let count = 0
      for (let mcu = from; mcu < Math.min(mcuCount, from + mcuWide); mcu++) {
        let above = mcu - mcuWide
        while (above >= known) above -= mcuWide
        if (above < 0) continue
        differences[count++] =
          this.#coefficients[above * mcuLength + upper] - this.#coefficients[mcu * mcuLength + lower]
      }
      const offset = Math.round(medianOf(differences, count))
      for (let mcu = from; mcu < mcuCount; mcu++) {
        for (let block = 0; block < h * v; block++) {
          this.#coefficients[mcu * mcuLength + (firstBlock + block) * BLOCK_COEFFICIENTS] += offset
        }
      }
    }
  }
}
