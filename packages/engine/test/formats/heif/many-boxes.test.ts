import { expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/heif/assess.ts'
import { looseProperties } from '../../../src/formats/heif/read/loose-properties.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { box, repeated } from '../../../testing/adversaries/bytes.ts'

const MANY = 200_000
const BYTES = repeated(box('infe'), MANY * 8)

it('boxes of nothing are followed up to a number', async () => {
  const reader = new ByteReader(new MemorySource(BYTES))
  const looks = vi.spyOn(reader, 'u32')
  await assess(reader, DEFAULT_LIMITS, SILENT)
  expect(looks.mock.calls.length).toBeLessThan(2 * MANY)
})

it('letters that begin the type of a property cost no text each', () => {
  const texts = vi.spyOn(String, 'fromCharCode')
  looseProperties(new ByteReader(new MemorySource(BYTES)))
  const made = texts.mock.calls.length
  texts.mockRestore()
  expect(made).toBeLessThan(100)
})
