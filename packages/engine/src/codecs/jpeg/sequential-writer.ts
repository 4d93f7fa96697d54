import { RST0 } from '../../syntax/jpeg-markers/markers.ts'
import { BitSink } from './bit-sink.ts'
import type { EncodingTable } from './huffman-table.ts'
import { BLOCK_COEFFICIENTS, type McuLayout } from './mcu-layout.ts'

/** Longest difference that samples of 8 bits can have, in bits; 15 for samples of 12 bits. */
const DC_BITS = 11
const DC_BITS_FOR_12 = 15
const END_OF_BLOCK = 0x00
const SIXTEEN_ZEROS = 0xf0

/** Coefficients to code, MCU by MCU. */
export interface McuSource {
  /** Where the MCU selected last has its coefficients, in zigzag order, and where in it they begin. */
  readonly coefficients: Int16Array
  readonly offset: number
  /** What is added to the DC of each component's blocks of it, which is absolute otherwise. */
  readonly dc: Int32Array
  /** Selects the MCU at a position. */
  select(position: number): void
}

/** Tables of one component. */
export interface ComponentTables {
  readonly dc: EncodingTable
  readonly ac: EncodingTable
}

/** The symbols that coding `source` takes, counted: DC and AC of each pair of tables; to choose or make tables by. */
export interface SymbolCounts {
  readonly dc: Uint32Array
  readonly ac: Uint32Array
}

interface SymbolSink {
  dc(component: number, symbol: number, bits: number, size: number): void
  ac(component: number, symbol: number, bits: number, size: number): void
  restart(number: number): void
}

/** Goes through all MCUs in the order of an interleaved sequential scan, ITU-T T.81 §F.1.2. */
function emit(
  source: McuSource,
  layout: McuLayout,
  interval: number,
  precision: number,
  sink: SymbolSink,
): void {
  const { mcuCount, blocksPerMcu, componentOf, components } = layout
  const most = (1 << (precision > 8 ? DC_BITS_FOR_12 : DC_BITS)) - 1
  const predicted = new Int32Array(components.length)
  for (let mcu = 0; mcu < mcuCount; mcu++) {
    if (interval > 0 && mcu > 0 && mcu % interval === 0) {
      sink.restart(mcu / interval - 1)
      predicted.fill(0)
    }
    source.select(mcu)
    const { coefficients, dc } = source
    let at = source.offset
    for (let block = 0; block < blocksPerMcu; block++, at += BLOCK_COEFFICIENTS) {
      const component = componentOf[block]
      const wanted = coefficients[at] + dc[component] - predicted[component]
      const difference = Math.max(-most, Math.min(most, wanted))
      predicted[component] += difference
      const size = 32 - Math.clz32(Math.abs(difference))
      sink.dc(component, size, difference < 0 ? difference - 1 : difference, size)
      let run = 0
      for (let i = 1; i < BLOCK_COEFFICIENTS; i++) {
        const value = coefficients[at + i]
        if (value === 0) {
          run++
          continue
        }
        for (; run > 15; run -= 16) sink.ac(component, SIXTEEN_ZEROS, 0, 0)
        const bits = 32 - Math.clz32(Math.abs(value))
        sink.ac(component, (run << 4) | bits, value < 0 ? value - 1 : value, bits)
        run = 0
      }
      if (run > 0) sink.ac(component, END_OF_BLOCK, 0, 0)
    }
  }
}

/** Counts the symbols of each component. */
export function countSymbols(
  source: McuSource,
  layout: McuLayout,
  interval: number,
  precision: number,
): SymbolCounts[] {
  const counts = layout.components.map(() => ({ dc: new Uint32Array(256), ac: new Uint32Array(256) }))
  emit(source, layout, interval, precision, {
    dc: (component, symbol) => {
      counts[component].dc[symbol]++
    },
    ac: (component, symbol) => {
      counts[component].ac[symbol]++
    },
    restart: () => {},
  })
  return counts
}

/** Whether a table has a code for each symbol that was counted. */
export function covers(table: EncodingTable, counts: Uint32Array): boolean {
  return counts.every((count, symbol) => count === 0 || table.lengths[symbol] > 0)
}

/**
 * The entropy-coded data of one interleaved sequential scan of all components; `tables` by component, which must cover the
 * symbols. `expected`: bytes it will about take. A restart marker stands after each `interval` MCUs, none when it is 0.
 */
export function writeSequential(
  source: McuSource,
  layout: McuLayout,
  tables: readonly ComponentTables[],
  interval: number,
  precision: number,
  expected: number,
): Uint8Array {
  const sink = new BitSink(expected)
  emit(source, layout, interval, precision, {
    dc: (component, symbol, bits, size) => {
      const { dc } = tables[component]
      sink.put(dc.codes[symbol], dc.lengths[symbol])
      if (size > 0) sink.put(bits, size)
    },
    ac: (component, symbol, bits, size) => {
      const { ac } = tables[component]
      sink.put(ac.codes[symbol], ac.lengths[symbol])
      if (size > 0) sink.put(bits, size)
    },
    restart: (number) => sink.marker(RST0 + (number & 7)),
  })
  return sink.bytes()
}
