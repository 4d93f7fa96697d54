import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { mendObjects } from '../../../src/formats/asf/mend/object-fields.ts'
import { Packet } from '../../../src/formats/asf/read/packet.ts'
import { PacketTable, PayloadTable } from '../../../src/formats/asf/read/packet-table.ts'

const PART = 100
const HEADER = 17
const [payload] = new Packet().payloads

/** The sizes of an object that its parts tell, those told here mended; another object of one part follows. */
function mended(...sizes: readonly number[]): number[] {
  const packets = new PacketTable()
  const payloads = new PayloadTable(100)
  const parts = [
    ...sizes.map((size, part) => ({ number: 5, size, position: part * PART })),
    { number: 6, size: PART, position: 0 },
  ]
  for (const [row, part] of parts.entries()) {
    const offset = row * (PART + HEADER)
    packets.push(offset, PART + HEADER, row, 0, 0, 0, 0x5d)
    payloads.push(
      { ...payload, ...part, stream: 1, time: 40, offset, data: offset + HEADER, length: PART },
      2,
    )
  }
  const reader = new ByteReader(new MemorySource(new Uint8Array(parts.length * (PART + HEADER))))
  mendObjects(reader, packets, payloads)
  return [...payloads.objectSize.subarray(0, sizes.length)]
}

describe('the size of an object, of which two parts tell two', () => {
  it('is that of the third part, wherever the bit was hit', () => {
    expect(mended(300, 300 ^ 32, 300)).toEqual([300, 300, 300])
    expect(mended(300 ^ 512, 300, 300)).toEqual([300, 300, 300])
  })

  it('is what the parts add up to where there is no third', () => {
    expect(mended(200, 200 ^ 32)).toEqual([200, 200])
    expect(mended(200 ^ 32, 200)).toEqual([200, 200])
  })

  it('is none that is less than the parts', () => {
    const [first] = mended(200 ^ 256, 200 ^ 64)
    expect(first).toBe(200 ^ 256)
  })
})
