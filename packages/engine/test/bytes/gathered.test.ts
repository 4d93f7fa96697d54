import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Gathered } from '../../src/bytes/gathered.ts'

it('pieces stand one behind the other, however many, but for those in front that were left out', () => {
  const step = fc.record({ piece: fc.uint8Array({ maxLength: 700 }), left: fc.nat(900) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const gathered = new Gathered()
      let wanted: number[] = []
      for (const { piece, left } of steps) {
        gathered.add(piece)
        wanted.push(...piece)
        const count = Math.min(left, wanted.length)
        gathered.drop(count)
        wanted = wanted.slice(count)
        expect(gathered.length).toBe(wanted.length)
        expect([...gathered.bytes()]).toEqual(wanted)
      }
    }),
    { numRuns: 50 },
  )
})
