import { expect, it } from 'vitest'
import { Foresight } from '../../../src/bytes/foresight.ts'
import { MemorySink, type SeekableSink } from '../../../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../../../src/bytes/source.ts'
import { newPayload } from '../../../src/formats/asf/read/packet.ts'
import {
  AFTER_HOLE,
  PacketTable,
  PayloadTable,
  REWRITTEN,
} from '../../../src/formats/asf/read/packet-table.ts'
import type { Hole } from '../../../src/formats/asf/read/scan.ts'
import { GrowthWatch } from '../../../src/formats/asf/write/growth.ts'

const SIZE = 16 * 1024
const PARTS = 4
const MIB = 1 << 20

class ToldSink extends MemorySink implements SeekableSink {
  readonly pending = 0
  readonly told: { readonly offset: number; readonly at: number; readonly length: number }[] = []

  expect(_source: ByteSource, offset: number, at: number, length: number): void {
    this.told.push({ offset, at, length })
  }

  copy(): boolean {
    return false
  }

  async hold(): Promise<void> {}
  async settled(): Promise<void> {}
  async seek(): Promise<void> {}
}

/** Tells of packets with a payload each, four of which make an object. Those numbers of packets that `lost` names are zeros. */
function watched(count: number, lost: readonly number[], salvaged?: number): ToldSink {
  const sink = new ToldSink()
  const watch = new GrowthWatch(new Foresight(sink, new MemorySource(new Uint8Array(0))))
  const packets = new PacketTable()
  const payloads = new PayloadTable(1_000_000)
  const holes: Hole[] = []
  for (let i = 0, behind = false; i < count; i++) {
    const offset = i * SIZE
    const length = SIZE - 40
    if (lost.includes(i)) {
      const first = payloads.length
      if (i === salvaged) push(i)
      if (i === salvaged) packets.push(offset, SIZE, first, 0, 0, REWRITTEN | AFTER_HOLE, 0x5d)
      if (!behind)
        holes.push({
          offset,
          length: SIZE,
          packet: packets.length,
          row: first,
          zero: true,
          inGrid: true,
          unexplained: 0,
        })
      behind = true
      continue
    }
    packets.push(offset, SIZE, push(i), 0, 0, behind ? AFTER_HOLE : 0, 0x5d)
    behind = false
    if (i % 64 === 63)
      watch.walked({ packets, payloads, holes, sizes: { least: SIZE, most: SIZE } }, offset + SIZE)

    function push(part: number): number {
      const data = part * SIZE + 32
      const position = (part % PARTS) * length
      const object = {
        number: Math.floor(part / PARTS) & 255,
        position,
        size: PARTS * length,
        time: part,
        replicated: 8,
      }
      return payloads.push(
        { ...newPayload(), ...object, offset: part * SIZE + 12, data, length, stream: 1 },
        0,
      )
    }
  }
  return sink
}

it('what is in front of a hole and behind it is told with what is left out because of it', () => {
  // of the object that lost its third part the others are left out, too
  const { told } = watched(3000, [1002])
  for (const { offset, at } of told) expect(at - offset).toBe(offset < 1002 * SIZE ? 0 : -PARTS * SIZE)
  const missing = 3000 * SIZE - told.reduce((sum, { length }) => sum + length, 0)
  expect(missing).toBeLessThan(2 * 256 * SIZE + 10 * MIB)
  expect(told.at(-1)?.offset).toBeGreaterThan(2200 * SIZE)
})

it('holes near each other are told together, and parts that were found in one stay', () => {
  const { told } = watched(3000, [1000, 1001, 1002, 1003, 1100, 1102], 1100)
  for (const { offset, at } of told)
    expect(at - offset).toBe(offset < 1000 * SIZE ? 0 : -(PARTS + PARTS) * SIZE)
  const healed = watched(3000, [1000, 1001, 1002, 1003, 1100], 1100).told
  for (const { offset, at } of healed) expect(at - offset).toBe(offset < 1000 * SIZE ? 0 : -PARTS * SIZE)
})

it('behind a hole at the end nothing is told', () => {
  const { told } = watched(1100, [1002])
  expect(told.at(-1)?.offset).toBeLessThan(1002 * SIZE)
})
