import fc from 'fast-check'
import { expect, it } from 'vitest'
import { widened } from '../../src/bytes/columns.ts'

it('a wider column is of the same kind, begins with the same rows and has zeros behind', () => {
  for (const Kind of [Float64Array, Uint32Array, Int32Array, Uint16Array, Int16Array, Uint8Array]) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 })), fc.nat({ max: 50 }), (rows, more) => {
        const wide = widened(Kind.from(rows), rows.length + more)
        expect(wide).toBeInstanceOf(Kind)
        expect([...wide]).toEqual([...rows, ...new Array<number>(more).fill(0)])
      }),
    )
  }
})
