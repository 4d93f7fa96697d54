import { expect, it } from 'vitest'
import { BitSink } from '../../src/codecs/jpeg/bit-sink.ts'
import { UNQUANTISED } from '../../src/codecs/jpeg/dct.ts'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable, encodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { DcReader } from '../../src/codecs/jpeg/progressive-readers.ts'
import { STANDARD_HUFFMAN } from '../../src/codecs/jpeg/standard-tables.ts'
import { turnLevels } from '../../src/photo/progressive/turned-levels.ts'
import { waves } from '../../testing/photos/waves.ts'

const LAYOUT = new McuLayout(640, 480, [{ id: 1, h: 1, v: 1, table: 0 }])
const [DC] = STANDARD_HUFFMAN
/** Lowest bits of DC that a later scan tells. */
const LOW = 1

const coefficientsOfWaves = () => waves(LAYOUT, 8, { count: 6, shortest: 60, longest: 260, height: 8 })

/** A first scan of DC without its lowest bits, with a bit of a block's difference turned. */
function levels(coefficients: Int16Array, turned: number | undefined): Uint8Array {
  const { codes, lengths } = encodingTable(DC)
  const sink = new BitSink(1 << 16)
  let last = 0
  for (let block = 0; block < LAYOUT.mcuCount; block++) {
    const value = coefficients[block * BLOCK_COEFFICIENTS] >> LOW
    const difference = value - last
    last = value
    const size = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference))
    const coded = difference < 0 ? difference - 1 : difference
    sink.put(codes[size], lengths[size])
    sink.put(block === turned ? coded ^ (1 << (size - 1)) : coded, size)
  }
  return sink.bytes()
}

/** DC as a scan tells it, and the first MCU that mending it changes. */
function read(scan: Uint8Array, original: Int16Array): { readonly out: Int16Array; readonly first: number } {
  const data = { ...entropyData(scan, 0, scan.length, () => true), closed: true }
  const out = Int16Array.from(original)
  const reader = new DcReader(data.bytes, data.length, [decodingTable(DC)])
  const difference = new Int16Array(1)
  for (let block = 0, at = 0, level = 0; block < LAYOUT.mcuCount; block++) {
    at = reader.read(at, difference, 0)
    level += difference[0]
    out[block * BLOCK_COEFFICIENTS] = (level << LOW) | (out[block * BLOCK_COEFFICIENTS] & ((1 << LOW) - 1))
  }
  const plane = { layout: LAYOUT, quantisation: [UNQUANTISED], coefficients: out }
  const first = turnLevels({ data, tables: [decodingTable(DC)], low: LOW }, plane, () => [])
  return { out, first }
}

it('a bit that was turned within a difference of DC is turned back where reading goes on in step', () => {
  const original = coefficientsOfWaves()
  const size = (block: number): number =>
    Math.abs(
      (original[block * BLOCK_COEFFICIENTS] >> LOW) - (original[(block - 1) * BLOCK_COEFFICIENTS] >> LOW),
    )
  // a difference whose first bit makes 8 levels or more
  const block = Array.from({ length: 40 }, (_, i) => 1_640 + i).find((each) => size(each) >= 16) ?? 0
  expect(block).toBeGreaterThan(0)
  const scan = levels(original, block)
  const { out, first } = read(scan, original)
  expect(first).toBe(block)
  expect(out).toEqual(original)
})

it('DC that is sound stays as it is', () => {
  const original = coefficientsOfWaves()
  expect(read(levels(original, undefined), original)).toEqual({ out: original, first: LAYOUT.mcuCount })
})
