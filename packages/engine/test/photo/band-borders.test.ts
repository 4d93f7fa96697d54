import { expect, it } from 'vitest'
import { BitSink } from '../../src/codecs/jpeg/bit-sink.ts'
import { UNQUANTISED } from '../../src/codecs/jpeg/dct.ts'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { STANDARD_HUFFMAN } from '../../src/codecs/jpeg/standard-tables.ts'
import { mendBand } from '../../src/photo/progressive/mend-progressive.ts'
import { waves } from '../../testing/photos/waves.ts'

const WIDTH = 320
const LAYOUT = new McuLayout(WIDTH, 240, [{ id: 1, h: 1, v: 1, table: 0 }])
const [FIRST, LAST] = [6, 63]
const HEADER = { components: [{ id: 1, dc: 0, ac: 0 }], first: FIRST, last: LAST, high: 0, low: 0 }
const AC = STANDARD_HUFFMAN[1]

const coefficientsOfWaves = () => waves(LAYOUT, 5, { count: 24, shortest: 5, longest: 17, height: 6 })

function written(coefficients: Int16Array): Uint8Array {
  const { codes, lengths } = encodingTable(AC)
  const sink = new BitSink(1 << 18)
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    let run = 0
    for (let i = FIRST; i <= LAST; i++) {
      const value = coefficients[block * BLOCK_COEFFICIENTS + i]
      if (value === 0) {
        run++
        continue
      }
      for (; run > 15; run -= 16) sink.put(codes[0xf0], lengths[0xf0])
      const size = 32 - Math.clz32(Math.abs(value))
      sink.put(codes[(run << 4) | size], lengths[(run << 4) | size])
      sink.put(value < 0 ? value - 1 : value, size)
      run = 0
    }
    if (run > 0) sink.put(codes[0], lengths[0])
  }
  return sink.bytes()
}

it('blocks of a band without slopes are where levels go on over their borders', () => {
  const coefficients = coefficientsOfWaves()
  const damaged = written(coefficients)
  const [from, to] = [10_000, 10_400]
  damaged.fill(0, from, to)
  // the way behind it is lost once more, and nothing counts blocks between
  damaged.fill(0, 2 * from, 2 * from + to - from)
  const data = { ...entropyData(damaged, 0, damaged.length, () => true), closed: true }
  const out = Int16Array.from(coefficients)
  const component = LAYOUT.components[0]
  const band = { data, component, table: decodingTable(AC), header: HEADER }
  mendBand(band, LAYOUT, UNQUANTISED, out, new Uint8Array(LAYOUT.mcuCount))
  let right = 0
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    const at = block * BLOCK_COEFFICIENTS
    if (out.subarray(at, at + BLOCK_COEFFICIENTS).every((value, i) => value === coefficients[at + i])) right++
  }
  expect(right).toBeGreaterThan(LAYOUT.mcuCount * 0.94)
})
