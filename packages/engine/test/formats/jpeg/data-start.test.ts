import { expect, it } from 'vitest'
import { BitSink } from '../../../src/codecs/jpeg/bit-sink.ts'
import { STANDARD_HUFFMAN } from '../../../src/codecs/jpeg/standard-tables.ts'
import { HuffmanTables } from '../../../src/codecs/jpeg/tables.ts'
import { dataStart } from '../../../src/formats/jpeg/mend/data-start.ts'
import { SOF0 } from '../../../src/syntax/jpeg-markers/markers.ts'

const FRAME = {
  marker: SOF0,
  precision: 8,
  width: 64,
  height: 64,
  components: [{ id: 1, h: 1, v: 1, table: 0 }],
}

/** Grey blocks, the second by `step` in 256 to 511 brighter, behind 10 bytes that may be coefficients of the first one. */
function scan(step: number | undefined): Uint8Array {
  const sink = new BitSink(1 << 12)
  sink.put(0b00, 2)
  for (let i = 0; i < 26; i++) sink.put(0b001, 3)
  for (let block = 0; block < 64; block++) {
    if (block === 0) sink.put(0b0101, 4)
    else if (block === 1 && step) {
      sink.put(0b111_1110, 7)
      sink.put(step, 9)
    } else sink.put(0b00, 2)
    sink.put(0b1010, 4)
  }
  return sink.bytes()
}

it.each([
  [undefined, undefined, { start: 10, sure: false }],
  [400, undefined, { start: 0, sure: false }],
  [undefined, 8, { start: 10, sure: false }],
])(
  'data begin where the first block goes with the second, else at once: one %s brighter, steps of %s',
  (step, quantum, found) => {
    const tables = new HuffmanTables()
    tables.define(STANDARD_HUFFMAN)
    const [dc, ac] = [tables.decoding(0, 0), tables.decoding(1, 0)]
    if (!dc || !ac) throw new Error('no tables')
    const bytes = scan(step)
    expect(dataStart(bytes, 0, bytes.length, FRAME, [{ dc, ac }], [quantum])).toEqual(found)
  },
)

it('data begin behind a scan header of which the marker, the length and more were hit', () => {
  const tables = new HuffmanTables()
  tables.define(STANDARD_HUFFMAN)
  const [dc, ac] = [tables.decoding(0, 0), tables.decoding(1, 0)]
  if (!dc || !ac) throw new Error('no tables')
  const bytes = Uint8Array.from([0x13, 0x99, 0xa4, 0x5d, 1, 1, 0, 0, 0x3f, 0, ...scan(undefined)])
  expect(dataStart(bytes, 0, bytes.length, FRAME, [{ dc, ac }], [8])).toEqual({ start: 10, sure: true })
})
