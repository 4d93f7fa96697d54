import { describe, expect, it } from 'vitest'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { BandReader, DcReader } from '../../../src/codecs/jpeg/progressive-readers.ts'
import { ScanDecoder } from '../../../src/codecs/jpeg/scan-decoder.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../src/codecs/jpeg/tables.ts'
import { mendBand } from '../../../src/photo/mend-progressive.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

const LAYOUT = new McuLayout(320, 240, [{ id: 1, h: 1, v: 1, table: 0 }])
const HEADER = { components: [{ id: 1, dc: 0, ac: 0 }], first: 1, last: 20, high: 0, low: 1 }
const [DC, AC] = STANDARD_HUFFMAN

/** A first scan of a band: each block has a few coefficients and ends with its own end of band. */
function bandScan(): { bytes: Uint8Array; coefficients: Int16Array } {
  const random = randomFrom(4)
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 16)
  const coefficients = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    let last = 0
    for (let i = 1; i <= 12; i++) {
      if (random() > 0.6) continue
      const value = Math.floor(random() * 15) - 7
      if (value === 0) continue
      const size = 32 - Math.clz32(Math.abs(value))
      const symbol = ((i - last - 1) << 4) | size
      sink.put(codes[symbol], lengths[symbol])
      sink.put(value < 0 ? value - 1 : value, size)
      coefficients[block * 64 + i] = value * 2
      last = i
    }
    sink.put(codes[0], lengths[0])
  }
  return { bytes: sink.bytes(), coefficients }
}

describe('a damaged progressive scan', () => {
  it('is read from its start and from its end, each block in its place', () => {
    const { bytes, coefficients } = bandScan()
    const damaged = Uint8Array.from(bytes)
    const at = Math.floor(bytes.length / 2)
    damaged.fill(0, at, at + 512)
    const data = { ...entropyData(damaged, 0, damaged.length, () => true), closed: true }
    const out = new Int16Array(coefficients.length).fill(9)
    const ends = mendBand(data, LAYOUT, LAYOUT.components[0], decodingTable(AC), HEADER, out)
    expect(ends.head + ends.tail).toBeLessThan(LAYOUT.mcuCount)
    expect(ends.head + ends.tail).toBeGreaterThan(LAYOUT.mcuCount * 0.85)
    const band = (values: Int16Array, block: number): Int16Array =>
      values.slice(block * 64 + 1, block * 64 + 21)
    let right = 0
    for (let block = 0; block < LAYOUT.mcuCount; block++) {
      if (band(out, block).every((value, i) => value === band(coefficients, block)[i])) right++
    }
    expect(right).toBeGreaterThan(LAYOUT.mcuCount * 0.85)
    // other coefficients are left alone
    expect(out[0]).toBe(9)
    expect(out[21]).toBe(9)
  })

  it('says where bits are no unit of it', () => {
    const nothing = new Uint8Array(64).fill(0xff)
    const out = new Int16Array(64)
    expect(new BandReader(nothing, 32, decodingTable(AC), HEADER).read(0, out, 0)).toBe(-1)
    expect(new DcReader(nothing, 32, [decodingTable(DC)]).read(0, out, 0)).toBe(-1)
    expect(new DcReader(new Uint8Array(64), 0, [decodingTable(DC)]).read(0, out, 0)).toBe(-1)
  })
})

describe('the last refinement of a progressive picture', () => {
  it('is read on behind what cannot be, and is not called whole', () => {
    const { codes, lengths } = encodingTable(AC)
    const sink = new BitSink(1 << 12)
    const put = (symbol: number): void => sink.put(codes[symbol], lengths[symbol])
    for (let block = 0; block < LAYOUT.mcuCount; block++) {
      // one block holds ones, with which no code begins
      if (block === 10) sink.put(0xffff, 16)
      else {
        put(0x01)
        sink.put(1, 1)
        put(0x00)
      }
    }
    const bytes = sink.bytes()
    const tables = new HuffmanTables()
    tables.define(STANDARD_HUFFMAN)
    const read = (onward: boolean): { whole: boolean; last: number; hit: number } => {
      const out = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
      const header = { components: [{ id: 1, dc: 0, ac: 0 }], first: 1, last: 63, high: 1, low: 0 }
      const decoder = new ScanDecoder(LAYOUT, out, header, tables, true)
      const { whole } = decoder.decode(
        entropyData(bytes, 0, bytes.length, () => true),
        0,
        onward,
      )
      return { whole, last: out[out.length - 63], hit: out[10 * 64 + 1] }
    }
    expect(read(false)).toEqual({ whole: false, last: 0, hit: 0 })
    expect(read(true)).toEqual({ whole: false, last: 1, hit: 0 })
  })
})
