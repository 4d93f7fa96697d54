import { expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { StreamReader } from '../../src/photo/read-stream.ts'

it('an even picture is read up to its last MCU, though equal bytes end within that', () => {
  // two codes of one bit for each block: nothing changes, and no more coefficients
  const counts = Uint8Array.of(1, ...new Uint8Array(15))
  const one = (kind: 0 | 1): Uint16Array => decodingTable({ kind, id: 0, counts, symbols: Uint8Array.of(0) })
  const components = [1, 2, 3].map((id) => ({ id, h: 1, v: 1, table: 0 }))
  const layout = new McuLayout(54 * 8, 8, components)
  const bytes = Uint8Array.of(...new Uint8Array(40), 0x0f)
  const data = entropyData(bytes, 0, bytes.length, () => false)
  const tables = components.map(() => ({ dc: one(0), ac: one(1) }))
  const flat = components.map(() => new Uint16Array(64).fill(1))
  const reader = new McuReader(data.bytes, data.length, tables)
  const { count, runs } = new StreamReader(data, reader, layout, 0, flat).read()
  expect([count, runs.length, runs[0].broken]).toEqual([54, 1, false])
})
