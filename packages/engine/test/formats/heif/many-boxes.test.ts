import { expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { likeliestShift } from '../../../src/formats/heif/mend/displaced.ts'
import { looseProperties } from '../../../src/formats/heif/read/loose-properties.ts'
import { sliceStart } from '../../../src/formats/heif/read/nal-items.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { box, repeated } from '../../../testing/adversaries/bytes.ts'

const MANY = 200_000
const BYTES = repeated(box('infe'), MANY * 8)

class CountingReader extends ByteReader {
  numbers = 0

  override u32(offset: number): number {
    this.numbers++
    return super.u32(offset)
  }
}

it('boxes of nothing are followed up to a number', async () => {
  const reader = new CountingReader(new MemorySource(BYTES))
  await assess(reader, DEFAULT_LIMITS, SILENT)
  expect(reader.numbers).toBeLessThan(2 * MANY)
})

it('letters that begin the type of a property cost no text each', () => {
  const texts = vi.spyOn(String, 'fromCharCode')
  looseProperties(new ByteReader(new MemorySource(BYTES)))
  const made = texts.mock.calls.length
  texts.mockRestore()
  expect(made).toBeLessThan(100)
})

it('items and pictures that all have one length are not all held against each other', () => {
  let looks = 0
  const place = {
    length: 40,
    get offset() {
      looks++
      return 100
    },
  }
  const items = Array.from({ length: 3_000 }, () => ({ type: 'hvc1', extents: [place] }))
  const pictures = Array.from({ length: 3_000 }, (_, i) => ({ offset: 107 + 44 * i, length: 40 }))
  expect(likeliestShift(items, pictures)).toBe(7)
  expect(looks).toBeLessThan(1_000_000)
})

it('a picture that ends far beyond the file is looked for no further than it', () => {
  const reader = new CountingReader(new MemorySource(new Uint8Array(10_000)))
  expect(sliceStart(reader, { offset: 100, length: 2 ** 50 })).toBeUndefined()
  expect(reader.numbers).toBeLessThan(2_500)
})
