import { expect, it, vi } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { findHeads } from '../../../src/formats/mpegvideo/read/heads.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { joined, repeated } from '../../../testing/adversaries/bytes.ts'

it('headers that are the same are put in words once, and all are counted', async () => {
  const one = Uint8Array.of(0, 0, 1, 0xb3, 0x14, 0, 0xf0, 0x23, 0xff, 0xff, 0xe0, 0x18)
  const other = Uint8Array.of(0, 0, 1, 0xb3, 0x16, 0, 0xf0, 0x23, 0xff, 0xff, 0xe0, 0x18)
  const bytes = joined([repeated(one, 12_000), repeated(other, 24_000), repeated(one, 6_000)])
  const words = vi.spyOn(JSON, 'stringify')
  const { usual, known } = await findHeads(new ByteReader(new MemorySource(bytes)), SILENT)
  const calls = words.mock.calls.length
  words.mockRestore()
  expect([usual?.sequence.width, known.size]).toEqual([0x160, 2])
  expect(calls).toBeLessThan(10)
})
