import { expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { Readings } from '../../../src/recovery/unframed/readings.ts'

/** Whether only the best reading is followed in a window of a file of a megabyte once so many pictures were offered. */
function isHurried(pictures: number, bits: number): boolean {
  const readings = new Readings(new ByteReader(new MemorySource(new Uint8Array(1 << 20))))
  for (let i = 0; i < pictures; i++) readings.spend(2 ** bits)
  readings.beginWindow(1 << 16)
  readings.weigh(1)
  return readings.hurried
}

it('follows the best reading alone behind far more beginnings of pictures than chance and recordings offer', () => {
  expect(isHurried(20_000, 6)).toBe(false)
  expect(isHurried(200_000, 6)).toBe(true)
})

it('counts beginnings that chance offers often for little', () => {
  expect(isHurried(1_000_000, 1)).toBe(false)
})
