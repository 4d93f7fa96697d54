import { describe, expect, it } from 'vitest'
import { crc32 } from '../../../src/bytes/crc32.ts'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/asf/assess.ts'
import { asf } from '../../../src/formats/asf/index.ts'
import { GUID, guidBytes } from '../../../src/formats/asf/read/guids.ts'
import { readHeader } from '../../../src/formats/asf/read/header.ts'
import { Packet, readPacket } from '../../../src/formats/asf/read/packet.ts'
import {
  DROPPED,
  KEY,
  OBJECT_START,
  PacketTable,
  PayloadTable,
  REWRITTEN,
} from '../../../src/formats/asf/read/packet-table.ts'
import { outputPackets } from '../../../src/formats/asf/write/packets.ts'
import { indexSize, KeyPictures, simpleIndex } from '../../../src/formats/asf/write/simple-index.ts'
import { writeFile } from '../../../src/formats/asf/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(new MemorySource(bytes))
const long = (bytes: Uint8Array, at: number): number =>
  Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true))
const u32 = (bytes: Uint8Array, at: number): number => readerOf(bytes).u32le(at)

/** Payloads of the packets of a file as `stream object place size key bytes`, each packet a list; and when they are sent. */
function packetsOf(bytes: Uint8Array, from: number, size: number, count: number) {
  const reader = readerOf(bytes)
  return Array.from({ length: count }, (_, i) => {
    const packet = new Packet()
    const sizes = { least: size, most: size }
    expect(
      readPacket(reader, from + i * size, sizes, () => true, packet),
      `packet ${i}`,
    ).toBe(true)
    expect([packet.uncorrected, packet.length]).toEqual([true, size])
    const payloads = packet.payloads.slice(0, packet.count).map((payload) => {
      const { stream, number, position, length, key, size, time, data } = payload
      return [stream, number, position, size, time, key, crc32(bytes.subarray(data, data + length))].join()
    })
    return { payloads, sent: packet.sendTime, duration: packet.duration }
  })
}

type Packets = readonly Pick<ReturnType<typeof packetsOf>[number], 'payloads' | 'sent' | 'duration'>[]

/** Payloads of packets with when they are sent, and how long that takes. */
const flat = (packets: Packets): string[] =>
  packets.flatMap(({ payloads, sent, duration }) =>
    payloads.map((payload) => [payload, sent, duration].join(' ')),
  )

describe.each(fixturesOf(asf))('the file $name written with some of its payloads', ({ bytes: whole }) => {
  const bytes = Uint8Array.from(whole)
  // the name of the file is one
  const named = readHeader(readerOf(bytes)).parts.find(({ guid }) => guid === GUID.fileProperties)
  bytes.set(
    Array.from({ length: 16 }, (_, i) => 0xa1 + i),
    (named?.offset ?? 0) + 24,
  )

  it.each([0, 0.02, 0.3, 0.8])('has the others as they were, of %d left out by lot', async (share) => {
    const reader = readerOf(bytes)
    const { scan, sizes, used, objects, span } = await assess(reader, DEFAULT_LIMITS, SILENT)
    if (!scan || !sizes) throw new Error('the fixture was not read')
    const { packets, payloads } = scan
    const random = randomNumbers(3)
    const before = packetsOf(bytes, packets.offset[0], sizes.most, packets.length)
    const dropped = new Set<number>()
    for (let row = 0; row < payloads.length; row++) {
      if (random() >= share) continue
      payloads.flags[row] |= DROPPED
      dropped.add(row)
    }
    for (let row = 0; row < packets.length; row += 7) packets.flags[row] |= REWRITTEN
    const kept = before
      .map(({ payloads: all, ...rest }, row) => ({
        ...{ row, ...rest, payloads: all.filter((_, i) => !dropped.has(packets.first[row] + i)) },
        same: all.every((_, i) => !dropped.has(packets.first[row] + i)) && row % 7 > 0,
      }))
      .filter(({ payloads }) => payloads.length > 0)
    const pictures = objects
      .filter(({ stream }) => stream.kind === 'video')
      .map(({ stream }) => stream.number)
    const sink = new MemorySink()
    const plan = {
      ...{ packets, payloads, sizes, header: used, headerReader: reader, own: true, pictures },
      ...{ preroll: 3_000, first: span.first, end: span.end },
    }
    await writeFile(plan, reader, sink, SILENT)
    const after = sink.bytes().slice()
    const header = readHeader(readerOf(after))
    const from = header.data + 50
    const count = header.file?.packets ?? 0
    const read = packetsOf(after, from, sizes.most, count)
    expect(flat(read)).toEqual(flat(kept))
    // packets written anew have two bytes more for each payload: what does not fit any more goes on in another
    expect(count).toBeGreaterThanOrEqual(kept.length)
    expect(count).toBeLessThanOrEqual(kept.length + kept.filter(({ same }) => !same).length)
    const written = Buffer.from(after.subarray(from))
    for (const { row } of kept.filter(({ same }) => same)) {
      const at = packets.offset[row]
      expect(written.includes(bytes.subarray(at, at + sizes.most)), `packet ${row}`).toBe(true)
    }
    const last = kept.findLast(({ same }) => same)
    expect(header).toMatchObject({ whole: true })
    expect(header.file).toMatchObject({ fileSize: after.length, packets: count, preroll: 3_000 })
    const indexed = after.subarray(from + count * sizes.most)
    const starts = OBJECT_START | KEY
    const hasKey = payloads.flags
      .subarray(0, payloads.length)
      .some(
        (flags, row) => (flags & (starts | DROPPED)) === starts && pictures.includes(payloads.stream[row]),
      )
    expect(indexed.length).toBe(hasKey ? indexSize(span.end) : 0)
    expect(indexed.subarray(0, 16)).toEqual(guidBytes(GUID.simpleIndex).subarray(0, indexed.length))
    // ASF Specification 01.20.05 §3.1: how many parts follow, and two reserved bytes
    expect([u32(after, 24), after[28], after[29]]).toEqual([header.parts.length, 1, 2])
    const properties = used.parts.find(({ guid }) => guid === GUID.fileProperties)?.offset ?? 0
    const at = header.parts.find(({ guid }) => guid === GUID.fileProperties)?.offset ?? 0
    expect(long(after, at + 64)).toBe((span.end - span.first + 3_000) * 10_000)
    expect(long(after, at + 72)).toBe(((last?.sent ?? 0) + (last?.duration ?? 0)) * 10_000)
    // the name of the file, when it was made, and what is not of packets
    for (const [offset, length] of [
      [24, 16],
      [48, 8],
      [100, 4],
    ])
      expect(after.subarray(at + offset, at + offset + length)).toEqual(
        bytes.subarray(properties + offset, properties + offset + length),
      )
    expect([u32(after, at + 88) & 3, u32(after, at + 92), u32(after, at + 96)]).toEqual([
      hasKey ? 2 : 0,
      sizes.least,
      sizes.most,
    ])
    expect(after.subarray(from - 26, from - 10)).toEqual(after.subarray(at + 24, at + 40))
    expect([long(after, from - 34), long(after, from - 10)]).toEqual([50 + count * sizes.most, count])
  })
})

it('payloads behind lost bytes begin a packet of their own, which players that seek by packets find', () => {
  const packets = new PacketTable()
  const payloads = new PayloadTable(100)
  packets.push(0, 3200, 0, 0, 0, REWRITTEN, 0x5d)
  for (const time of [700, 740, 1020, 1060, 1400])
    payloads.push({ ...new Packet().payload(0), offset: time, data: time + 17, length: 500, time }, 2)
  const written = [...outputPackets(packets, payloads, { least: 3200, most: 3200 })]
  expect(written.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 5],
  ])
})

describe('a simple index', () => {
  const id = Uint8Array.from({ length: 16 }, (_, i) => i)

  it.each([
    [900, 10, 90],
    [500_000, 10, 50_000],
    [500_001, 20, 25_001],
    [3_000_000, 60, 50_000],
    [49_990_001, 1000, 49_991],
    [2_000_000_000, 1000, 1_000_000],
  ])('of %i ms has an entry every %i ms, %i in all', (end, interval, count) => {
    const index = simpleIndex(new KeyPictures(), end, id)
    expect([index.length, indexSize(end), long(index, 16)]).toEqual(Array(3).fill(56 + 6 * count))
    expect(index.subarray(24, 40)).toEqual(id)
    expect([long(index, 40), u32(index, 48), u32(index, 52)]).toEqual([interval * 10_000, 0, count])
    // without a key picture all begin at the first packet
    expect([u32(index, 56), readerOf(index).u16le(60)]).toEqual([0, 1])
  })

  it('names for each time the packets of the last key picture before it', () => {
    const random = randomNumbers(8)
    const keys = new KeyPictures()
    keys.reach(5)
    let [time, packet] = [0, 2]
    const known: { time: number; packet: number; span: number }[] = []
    while (time < 3_000) {
      const span = 1 + Math.floor(random() * 4)
      keys.add(time, packet)
      for (let i = 0; i < span; i++) keys.reach(packet + i)
      known.push({ time, packet, span })
      time += Math.floor(random() * 90)
      packet += span + Math.floor(random() * 5)
    }
    const index = simpleIndex(keys, 3_000, id)
    expect(u32(index, 48)).toBe(Math.max(...known.map(({ span }) => span)))
    for (let i = 0; i < 300; i++) {
      const key = known.findLast(({ time }) => time <= i * 10)
      expect([u32(index, 56 + 6 * i), readerOf(index).u16le(60 + 6 * i)]).toEqual([key?.packet, key?.span])
    }
  })
})

it.each(fixturesOf(asf))(
  'what $name states of its length is told to the millisecond where it is wrong',
  async ({ bytes: whole }) => {
    const bytes = Uint8Array.from(whole)
    const properties = readHeader(readerOf(bytes)).parts.find(({ guid }) => guid === GUID.fileProperties)
    const at = properties?.offset ?? 0
    const preroll = long(bytes, at + 80)
    new DataView(bytes.buffer).setBigUint64(at + 64, BigInt(123_456_789 + preroll) * 10_000n, true)
    const { findings } = await assess(readerOf(bytes), DEFAULT_LIMITS, SILENT)
    const told = findings.list
      .filter(({ code }) => code === 'asf.duration-wrong')
      .map(({ message }) => message)
    expect(told).toEqual([expect.stringMatching(/^123456789 ms stated/)])
  },
)
