import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { nextOf } from '../../../src/formats/mpegts/read/stretch.ts'
import { packetOf } from '../../../src/formats/mpegts/write/packets.ts'

const LAYOUT = { size: 188, lead: 0 } as const

/** The counter of the next packet of PID 0 behind the first of ten, the last of which it is; the sync bytes of some are hit. */
function found(...hit: readonly number[]): number {
  const packets = Array.from({ length: 10 }, (_, i) =>
    packetOf(i === 0 || i === 9 ? 0 : 256, false, i, new Uint8Array(184)),
  )
  for (const i of hit) packets[i][0] ^= 4
  const reader = new ByteReader(new MemorySource(new Uint8Array(Buffer.concat(packets))))
  const next = nextOf(reader, LAYOUT, 0, 0)
  // whatever is in memory already
  for (let offset = 0; offset < reader.size; offset += 94)
    for (const end of [offset, offset + 200, reader.size - 1, reader.size])
      expect(
        nextOf(reader, LAYOUT, 0, 0, { bytes: reader.bytes(offset, end - offset).slice(), offset }),
      ).toBe(next)
  return next
}

it('the next packet of a PID is found behind single ones whose sync byte was hit, not where the grid breaks', () => {
  expect(found()).toBe(9)
  expect(found(4)).toBe(9)
  expect(found(2, 6)).toBe(9)
  expect(found(4, 5)).toBe(-1)
  expect(found(9)).toBe(-1)
})
