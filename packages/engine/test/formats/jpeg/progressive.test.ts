import { describe, expect, it } from 'vitest'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { BandReader, DcReader } from '../../../src/codecs/jpeg/progressive-readers.ts'
import { mendBand } from '../../../src/photo/progressive/mend-progressive.ts'
import { AC, bandOf, bandScan, DC, HEADER, LAYOUT } from './progressive-scans.ts'

describe('a damaged progressive scan', () => {
  it('is read from its start and from its end, each block in its place', () => {
    const { bytes, coefficients } = bandScan()
    const damaged = Uint8Array.from(bytes)
    const at = Math.floor(bytes.length / 2)
    damaged.fill(0, at, at + 512)
    const data = { ...entropyData(damaged, 0, damaged.length, () => true), closed: true }
    const out = new Int16Array(coefficients.length).fill(9)
    const unknown = new Uint8Array(LAYOUT.mcuCount)
    mendBand(bandOf(data), LAYOUT, new Uint16Array(64).fill(1), out, unknown)
    const lost = unknown.reduce((sum, each) => sum + each, 0)
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThan(LAYOUT.mcuCount * 0.15)
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
