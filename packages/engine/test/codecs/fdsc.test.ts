import { expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { fdsc } from '../../src/codecs/fdsc/index.ts'
import { Unit } from '../../src/codecs/recogniser.ts'

/** The length of the descriptor that a sample of so many bytes has before it; 0 for none. */
function lengthOf(size: number, duration: number, last: number): number {
  const bytes = Buffer.alloc(24, 0xff)
  bytes.write('GP', 0)
  bytes.set([0, 3], 2)
  for (const [i, word] of [size, duration, last].entries()) bytes.writeUInt32BE(word, 4 + i * 4)
  const reader = new ByteReader(new MemorySource(bytes))
  const unit = new Unit()
  const recogniser = fdsc.recogniser({
    id: 1,
    kind: 'data',
    codec: 'fdsc',
    timescale: 1,
    config: new Uint8Array(0),
    framing: 'raw',
  })
  return recogniser?.recognise(reader, 0, bytes.length, unit) ? unit.length : 0
}

it('a frame descriptor ends in zero, or in the duration of its picture once more', () => {
  expect(lengthOf(4403, 3003, 0)).toBe(16)
  expect(lengthOf(4403, 3003, 3003)).toBe(16)
  expect(lengthOf(4403, 3003, 3002)).toBe(0)
  expect(lengthOf(0, 3003, 3003)).toBe(0)
})
