import { expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { decodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { type McuStream, StreamMemory, StreamReader } from '../../src/photo/reading/read-stream.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

/** A table of codes: `lengths` of those of `symbols`, shortest first. */
function tableOf(kind: 0 | 1, lengths: readonly number[], symbols: readonly number[]): Uint16Array {
  const counts = Uint8Array.from(
    { length: 16 },
    (_, i) => lengths.filter((length) => length === i + 1).length,
  )
  return decodingTable({ kind, id: 0, counts, symbols: Uint8Array.from(symbols) })
}

/** Reads a picture of a row of MCUs of three blocks from bytes, with the AC table `luminance` for the first block. */
function readRow(bytes: Uint8Array, count: number, luminance: Uint16Array): McuStream {
  // codes of one bit: nothing changes, and no more coefficients
  const [dc, ac] = [tableOf(0, [1], [0]), tableOf(1, [1], [0])]
  const components = [1, 2, 3].map((id) => ({ id, h: 1, v: 1, table: 0 }))
  const layout = new McuLayout(count * 8, 8, components)
  const data = entropyData(bytes, 0, bytes.length, () => false)
  const tables = components.map((_, i) => ({ dc, ac: i === 0 ? luminance : ac }))
  const flat = components.map(() => new Uint16Array(64).fill(1))
  const reader = new McuReader(data.bytes, data.length, tables)
  return new StreamReader(data, reader, layout, 0, flat).read()
}

/** Reads a picture of 54 even MCUs from bytes. */
function readEven(bytes: Uint8Array): McuStream {
  return readRow(bytes, 54, tableOf(1, [1], [0]))
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

it('equal bytes of an even picture may begin within the detail in front of it', () => {
  // codes 00 of a first coefficient of 1 or -1, and 010 of no more: the last 8 of 11 bits of an MCU with detail are those of an
  // even one
  const luminance = tableOf(1, [2, 3], [0x01, 0x00])
  const [even, detail, other] = ['00100000', '00000100000', '00010100000']
  for (let phase = 0; phase < 8; phase++) {
    const mcus = [
      ...Array<string>(phase + 1).fill(other),
      detail,
      ...Array<string>(40).fill(even),
      other,
      other,
    ]
    const bits = mcus.join('').padEnd(8 * Math.ceil(mcus.join('').length / 8), '1')
    const bytes = Uint8Array.from({ length: bits.length / 8 }, (_, i) =>
      Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2),
    )
    const { count, runs } = readRow(bytes, mcus.length, luminance)
    expect([phase, count, runs.length, runs[0].broken]).toEqual([phase, mcus.length, 1, false])
  }
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
