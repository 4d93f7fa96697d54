import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { readHeader } from '../../../src/formats/asf/read/header.ts'
import {
  OBJECT_START,
  PacketTable,
  PayloadTable,
  REWRITTEN,
} from '../../../src/formats/asf/read/packet-table.ts'
import { writeFile } from '../../../src/formats/asf/write/write.ts'
import { LimitError } from '../../../src/model/errors.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

/** Writes a hundred payloads of ten bytes in packets of `most` bytes, the last of which is shown at `end` milliseconds. */
async function written(most: number, end = 100): Promise<number> {
  const reader = new ByteReader(
    new MemorySource(new Uint8Array(readFileSync(`${FIXTURES}/asf/wmv-wmv1-wma1.sample.wmv`))),
  )
  const packets = new PacketTable()
  const payloads = new PayloadTable(1000)
  for (let i = 0; i < 100; i++) {
    const offset = i * 100
    packets.push(offset, 100, i, i, 1, REWRITTEN, 0x5d)
    const payload = { offset, data: offset + 15, length: 10, stream: 1, key: true, compressed: false }
    payloads.push({ ...payload, number: i, position: 0, size: 10, time: i, replicated: 0 }, 0)
    payloads.flags[i] |= OBJECT_START
  }
  const header = readHeader(reader)
  const sizes = { least: most, most }
  const times = { preroll: 0, first: 0, end }
  const sink = new MemorySink()
  const plan = { packets, payloads, sizes, header, headerReader: reader, own: true, pictures: [1], ...times }
  await writeFile(plan, reader, sink, SILENT)
  return sink.position
}

it('packets of a size that would make the file many times as long are not filled up', async () => {
  expect(await written(3200)).toBeGreaterThan(320_000)
  await expect(written(1 << 20)).rejects.toThrow(LimitError)
})

it('an index of a month is none of a hundred pictures', async () => {
  const short = await written(3200)
  expect(await written(3200, 60_000)).toBeGreaterThan(short)
  expect(await written(3200, 2 ** 31)).toBeLessThan(short)
})
