import { afterEach, expect, it, vi } from 'vitest'
import { crc32 } from '../../../src/bytes/crc32.ts'
import { chunkBytes, chunkCrc, SIGNATURE, typeAt } from '../../../src/formats/png/read/chunk.ts'
import { walk } from '../../../src/formats/png/read/walk.ts'

afterEach(() => vi.restoreAllMocks())

it('a checksum is that of the type and the data behind it, of a type that is known or not', () => {
  const text = new TextEncoder()
  for (const type of ['IDAT', 'tEXt', 'prVt', 'a\0bc']) {
    expect(chunkCrc(type, Uint8Array.of(1, 2, 3))).toBe(crc32(text.encode(`${type}\x01\x02\x03`)))
    expect(typeAt(text.encode(`--${type}--`), 2)).toBe(type)
  }
  // at the end of a file less than a type is there
  expect(typeAt(text.encode('IDA'), 0)).toBe('IDA')
})

it('of chunks without number the letters of a known type are not summed anew for each', () => {
  const one = chunkBytes('tEXt', Uint8Array.of(65, 0, 66))
  const bytes = new Uint8Array(SIGNATURE.length + 1000 * one.length)
  bytes.set(SIGNATURE)
  for (let i = 0; i < 1000; i++) bytes.set(one, SIGNATURE.length + i * one.length)
  const made = vi.spyOn(Uint8Array, 'from')
  expect(walk(bytes).chunks.length).toBe(1000)
  expect(made.mock.calls.length).toBe(0)
})
