import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { mendObjects } from '../../../src/formats/asf/mend/object-fields.ts'
import { Packet } from '../../../src/formats/asf/read/packet.ts'
import { PacketTable, PayloadTable } from '../../../src/formats/asf/read/packet-table.ts'

const PART = 100
const HEADER = 17
const [payload] = new Packet().payloads

interface Part {
  readonly number: number
  readonly size: number
  readonly position: number
}

/** Payloads of one stream in packets of their own, mended. */
function payloadsOf(parts: readonly Part[]): PayloadTable {
  const packets = new PacketTable()
  const payloads = new PayloadTable(100)
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
  return payloads
}

/** The sizes of an object that its parts tell, those told here mended; another object of one part follows. */
function mended(...sizes: readonly number[]): number[] {
  const payloads = payloadsOf([
    ...sizes.map((size, part) => ({ number: 5, size, position: part * PART })),
    { number: 6, size: PART, position: 0 },
  ])
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

describe('a part of which two fields were hit', () => {
  const [size, position] = [400 ^ 64, 256]
  const parts = (third: Part, behind: Part): Part[] => [
    { number: 5, size: 400, position: 0 },
    { number: 5, size: 400, position: PART },
    third,
    behind,
    { number: 6, size: PART, position: 0 },
  ]
  const whole = { number: 5, size: 400, position: 2 * PART }
  const last = { number: 5, size: 400, position: 3 * PART }

  it('is put right where the next goes on behind it, or the next object begins', () => {
    for (const hit of [
      parts({ number: 5, size, position }, last),
      parts(whole, { number: 5, size, position }),
    ]) {
      const { position, objectSize } = payloadsOf(hit)
      expect([...position.subarray(0, 4)]).toEqual([0, PART, 2 * PART, 3 * PART])
      expect([...objectSize.subarray(0, 4)]).toEqual([400, 400, 400, 400])
    }
  })

  it('stays where what follows does not go on from it', () => {
    const { objectSize } = payloadsOf(parts({ number: 5, size, position }, { ...last, position: 2 * PART }))
    expect(objectSize[2]).toBe(size)
  })
})
