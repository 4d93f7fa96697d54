import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unescapeInto } from '../../../src/codecs/nal/rbsp.ts'

/** By the letter of ITU-T H.264 §7.4.1, byte by byte. */
function plain(bytes: Uint8Array, limit: number, strict: number): number[] | undefined {
  const written: number[] = []
  let zeros = 0
  for (let i = 0; i < bytes.length && written.length < limit; i++) {
    if (zeros >= 2 && bytes[i] === 3) {
      zeros = 0
      continue
    }
    if (zeros >= 2 && bytes[i] < 3 && i < strict) return undefined
    written.push(bytes[i])
    zeros = bytes[i] === 0 ? zeros + 1 : 0
  }
  return written
}

it('payloads come without emulation prevention, as far as there is room, unless an impossible sequence stands near', () => {
  const byte = fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.nat(5) },
    fc.nat(255),
  )
  const pieces = fc.array(fc.tuple(byte, fc.integer({ min: 1, max: 80 })), { maxLength: 12 })
  const drawn = fc.oneof(
    fc.array(byte, { maxLength: 300 }),
    pieces.map((runs) =>
      runs.flatMap(([value, count]) => new Array<number>(value < 4 ? 1 : count).fill(value)),
    ),
  )
  fc.assert(
    fc.property(drawn, fc.nat(320), fc.constantFrom(0, 5, 24), (values, limit, strict) => {
      const bytes = Uint8Array.from(values)
      const target = new Uint8Array(limit)
      const length = unescapeInto(bytes, target, strict)
      const wanted = plain(bytes, limit, strict)
      expect(length).toBe(wanted?.length ?? -1)
      if (wanted) expect([...target.subarray(0, length)]).toEqual(wanted)
    }),
    { numRuns: 500 },
  )
})
