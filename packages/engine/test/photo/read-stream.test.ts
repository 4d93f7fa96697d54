import { expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { type McuStream, StreamMemory, StreamReader } from '../../src/photo/reading/read-stream.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

/** Reads a picture of 54 even MCUs from bytes. */
function readEven(bytes: Uint8Array): McuStream {
  // two codes of one bit for each block: nothing changes, and no more coefficients
  const counts = Uint8Array.of(1, ...new Uint8Array(15))
  const one = (kind: 0 | 1): Uint16Array => decodingTable({ kind, id: 0, counts, symbols: Uint8Array.of(0) })
  const components = [1, 2, 3].map((id) => ({ id, h: 1, v: 1, table: 0 }))
  const layout = new McuLayout(54 * 8, 8, components)
  const data = entropyData(bytes, 0, bytes.length, () => false)
  const tables = components.map(() => ({ dc: one(0), ac: one(1) }))
  const flat = components.map(() => new Uint16Array(64).fill(1))
  const reader = new McuReader(data.bytes, data.length, tables)
  return new StreamReader(data, reader, layout, 0, flat).read()
}

const EVEN = [...new Uint8Array(40), 0x0f]

it('an even picture is read up to its last MCU, though equal bytes end within that', () => {
  const { count, runs } = readEven(Uint8Array.from(EVEN))
  expect([count, runs.length, runs[0].broken]).toEqual([54, 1, false])
})

it('zeros or ones that fill up a word behind the last MCU are none, a word of them is too much', () => {
  for (const filling of [
    [0, 0, 0],
    [0xff, 0],
  ]) {
    const { count, runs } = readEven(Uint8Array.from([...EVEN, ...filling]))
    expect([count, runs.length, runs[0].broken, runs[0].flush]).toEqual([54, 1, false, true])
  }
  const more = readEven(Uint8Array.from([...EVEN, 0, 0, 0, 0]))
  expect(more.runs[0].flush).toBe(false)
})

it('a scan that is read anew takes no second memory, and finds nothing of the first reading there', () => {
  const photo = writePhoto(drawPicture(64, 64, 8), { sampling: [1, 1], quality: 90, interval: 0 })
  const picture = readPicture(photo, 0)
  if (!picture) throw new Error('the drawn photo cannot be read')
  const { frame, quantisation, scans } = picture
  const [{ header, tables, start, end }] = scans
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const blocks = Array.from(layout.componentOf, (index) => {
    const [dc, ac] = [
      tables.decoding(0, header.components[index].dc),
      tables.decoding(1, header.components[index].ac),
    ]
    if (!dc || !ac) throw new Error('the drawn photo has no tables')
    return { dc, ac }
  })
  const steps = layout.components.map(({ table }) => quantisation[table] ?? new Uint16Array(64).fill(1))
  const data = entropyData(photo, start, end, () => false)
  const memory = new StreamMemory()
  const read = () =>
    new StreamReader(data, new McuReader(data.bytes, data.length, blocks), layout, 0, steps, memory).read()
  const first = read()
  const copy = first.coefficients.slice()
  // what another reading would have left
  first.coefficients.fill(7)
  const again = read()
  expect(again.coefficients.buffer).toBe(first.coefficients.buffer)
  expect(again.starts.buffer).toBe(first.starts.buffer)
  expect(again.coefficients).toEqual(copy)
})
