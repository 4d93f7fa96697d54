import { describe, expect, it } from 'vitest'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { entropyData } from '../../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../../src/codecs/jpeg/mcu-layout.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { mendDc } from '../../../src/photo/progressive/mend-progressive.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

const LAYOUT = new McuLayout(640, 640, [{ id: 1, h: 1, v: 1, table: 0 }])
const VARIED = 2_000
const [DC] = STANDARD_HUFFMAN

/** A first scan of DC of a picture that is flat but for its upper part: two zero bits for each block of the rest. */
function flatScan(): Uint8Array {
  const random = randomFrom(9)
  const { codes, lengths } = encodingTable(DC)
  const sink = new BitSink(1 << 14)
  for (let mcu = 0; mcu < LAYOUT.mcuCount; mcu++) {
    const value = mcu < VARIED ? Math.floor(random() * 31) - 15 : 0
    const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value))
    sink.put(codes[size], lengths[size])
    if (size > 0) sink.put(value < 0 ? value - 1 : value, size)
  }
  return sink.bytes()
}

/** MCUs of which nothing is known, and those that are estimated. */
function missing(bytes: Uint8Array, closed: boolean): { missing: number; estimated: number } {
  const data = { ...entropyData(bytes, 0, bytes.length, () => true), closed }
  const out = new Int16Array(LAYOUT.mcuCount * LAYOUT.mcuLength)
  const scan = { data, tables: [decodingTable(DC)], low: 0 }
  const { stretches, hidden } = mendDc(scan, LAYOUT, [new Uint16Array(64).fill(1)], out)
  const count = (sure: boolean): number =>
    stretches.filter(({ known }) => (known && !hidden) === sure).reduce((sum, each) => sum + each.count, 0)
  return { missing: LAYOUT.mcuCount - count(true) - count(false), estimated: count(false) }
}

describe('a first scan of DC of a picture that is flat below', () => {
  it('of which a bit was turned is read to its end, though equal bytes are there', () => {
    const bytes = flatScan()
    for (let at = 200; at < 1_000; at += 100) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] ^= 4
      expect(missing(damaged, true).missing, `byte ${at}`).toBeLessThan(LAYOUT.mcuCount / 4)
    }
  })

  it('that cannot be read on where it was hit is read from its end, which is flat', () => {
    const bytes = flatScan()
    // sixteen ones, with which no code begins
    const damaged = Uint8Array.from([...bytes.subarray(0, 500), 0xff, 0, 0xff, 0, ...bytes.subarray(502)])
    expect(missing(damaged, true).missing).toBeLessThan(LAYOUT.mcuCount / 4)
    expect(missing(damaged, false).missing).toBeGreaterThan(LAYOUT.mcuCount / 4)
  })

  it('is not called recovered where it was read past a bit that was turned', () => {
    const damaged = flatScan()
    damaged[500] ^= 4
    const { missing: gone, estimated } = missing(damaged, true)
    expect(gone + estimated).toBeGreaterThan(LAYOUT.mcuCount / 2)
  })

  it('that ends in zeros with the file is not believed there', () => {
    const damaged = flatScan().fill(0, 500)
    expect(missing(damaged, false).missing).toBeGreaterThan(LAYOUT.mcuCount / 2)
  })

  it('has lost what zeros took the place of', () => {
    const damaged = flatScan().fill(0, 300, 700)
    expect(missing(damaged, true).missing).toBeGreaterThan(300)
  })
})
