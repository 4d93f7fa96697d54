import { describe, expect, it } from 'vitest'
import { forwardDct, inverseDct, inverseDctRow } from '../../../src/codecs/jpeg/dct.ts'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../../src/codecs/jpeg/mcu-reader.ts'
import { optimalTable } from '../../../src/codecs/jpeg/optimal-table.ts'
import { ScanDecoder } from '../../../src/codecs/jpeg/scan-decoder.ts'
import { countSymbols, covers, writeSequential } from '../../../src/codecs/jpeg/sequential-writer.ts'
import { HuffmanTables } from '../../../src/codecs/jpeg/tables.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

const COMPONENTS = [
  { id: 1, h: 2, v: 2, table: 0 },
  { id: 2, h: 1, v: 1, table: 1 },
  { id: 3, h: 1, v: 1, table: 1 },
]

/** Coefficients as photos have them: few, small, and more of low frequencies. */
function coefficientsOf(layout: McuLayout): Int16Array {
  const random = randomFrom(3)
  return Int16Array.from({ length: layout.mcuCount * layout.mcuLength }, (_, i) => {
    if (i % 64 === 0) return Math.round(600 * (random() - 0.5))
    return random() < 3 / (2 + (i % 64)) ? Math.round(40 * (random() - 0.5)) : 0
  })
}

function coded(interval: number) {
  const layout = new McuLayout(150, 90, COMPONENTS)
  const coefficients = coefficientsOf(layout)
  const source = {
    coefficients,
    offset: 0,
    dc: new Int32Array(3),
    select(position: number): void {
      this.offset = position * layout.mcuLength
    },
  }
  const counts = countSymbols(source, layout, interval, 8)
  const specs = counts.flatMap(({ dc, ac }, id) => [optimalTable(0, id, dc), optimalTable(1, id, ac)])
  const pairs = counts.map((_, id) => ({
    dc: encodingTable(specs[2 * id]),
    ac: encodingTable(specs[2 * id + 1]),
  }))
  pairs.forEach(({ dc, ac }, id) => {
    expect(covers(dc, counts[id].dc) && covers(ac, counts[id].ac)).toBe(true)
  })
  const bytes = writeSequential(source, layout, pairs, interval, 8, 1000)
  return { layout, coefficients, specs, bytes }
}

describe('JPEG entropy coding', () => {
  it('reads back what was written, MCU by MCU, to the last bit', () => {
    const { layout, coefficients, specs, bytes } = coded(0)
    const data = entropyData(bytes, 0, bytes.length, () => true)
    const blocks = Array.from(layout.componentOf, (id) => ({
      dc: decodingTable(specs[2 * id]),
      ac: decodingTable(specs[2 * id + 1]),
    }))
    const reader = new McuReader(data.bytes, data.length, blocks)
    const out = new Int16Array(coefficients.length)
    const predicted = [0, 0, 0]
    const differences = new Int16Array(layout.blocksPerMcu)
    let at = 0
    for (let mcu = 0; mcu < layout.mcuCount; mcu++) {
      const passed = reader.pass(at, differences)
      at = reader.read(at, out, mcu * layout.mcuLength)
      expect(passed).toBe(at)
      layout.componentOf.forEach((component, block) => {
        const place = mcu * layout.mcuLength + block * 64
        expect(differences[block]).toBe(out[place])
        predicted[component] += out[place]
        out[place] = predicted[component]
      })
    }
    expect(out).toEqual(coefficients)
    expect(data.length * 8 - at).toBeLessThan(8)
    expect(reader.read(at, out, 0)).toBe(-1)
    expect(reader.pass(at, differences)).toBe(-1)
  })

  it('passes over what it can read, and over nothing else', () => {
    const { layout, specs, bytes } = coded(0)
    const data = entropyData(bytes, 0, bytes.length, () => true)
    const blocks = Array.from(layout.componentOf, (id) => ({
      dc: decodingTable(specs[2 * id]),
      ac: decodingTable(specs[2 * id + 1]),
    }))
    const reader = new McuReader(data.bytes, data.length, blocks)
    const out = new Int16Array(layout.mcuLength)
    const differences = new Int16Array(layout.blocksPerMcu)
    const behind = Array.from({ length: 4_000 }, (_, bit) => reader.read(bit, out, 0))
    expect(behind.filter((bit) => bit < 0).length).toBeGreaterThan(100)
    expect(behind.map((_, bit) => reader.pass(bit, differences))).toEqual(behind)
  })

  it('reads a scan with restart markers into its places', () => {
    const { layout, coefficients, specs, bytes } = coded(7)
    const tables = new HuffmanTables()
    tables.define(specs)
    const header = {
      components: COMPONENTS.map(({ id }, i) => ({ id, dc: i, ac: i })),
      first: 0,
      last: 63,
      high: 0,
      low: 0,
    }
    const out = new Int16Array(coefficients.length)
    const data = entropyData(bytes, 0, bytes.length, () => true)
    const numbers = Array.from({ length: data.restarts.count }, (_, i) => data.restarts.code(i) & 7)
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    const progress = new ScanDecoder(layout, out, header, tables, false).decode(data, 7)
    expect(progress.whole).toBe(true)
    expect(out).toEqual(coefficients)
  })

  it('keeps codes within 16 bits, however rare a symbol', () => {
    const counts = new Uint32Array(256)
    for (let i = 0; i < 32; i++) counts[i] = 2 ** i
    const { counts: lengths, symbols } = optimalTable(1, 0, counts)
    expect(lengths).toHaveLength(16)
    expect(symbols).toHaveLength(32)
    const used = lengths.reduce((sum, count, i) => sum + count * 2 ** (15 - i), 0)
    // the code of ones alone stays free
    expect(used).toBeLessThan(2 ** 16)
    expect(symbols[0]).toBe(31)
  })

  it('turns samples into coefficients and back', () => {
    const random = randomFrom(9)
    const samples = Float32Array.from({ length: 64 }, () => 255 * random() - 128)
    const flat = new Uint16Array(64).fill(1)
    const block = new Int16Array(64)
    forwardDct(samples, 0, flat, block, 0)
    const back = new Float32Array(64)
    inverseDct(block, 0, flat, 0, back, 0)
    const row = new Float32Array(8)
    inverseDctRow(block, 0, flat, 5, row, 0)
    for (let i = 0; i < 64; i++) expect(Math.abs(back[i] - samples[i])).toBeLessThan(1.5)
    for (let x = 0; x < 8; x++) expect(row[x]).toBeCloseTo(back[40 + x], 3)
  })
})
