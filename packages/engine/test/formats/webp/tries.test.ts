import { expect, it, vi } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'
import { webp } from '../../../src/formats/webp/index.ts'
import { Allowance } from '../../../src/model/allowance.ts'
import { repeated } from '../../../testing/adversaries/bytes.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'

it('pictures that do not come to their end where their size says are tried a bounded number of times', async () => {
  const head = fixtureOf(webp, 'lossless').subarray(0, 48)
  const takes = vi.spyOn(Allowance.prototype, 'take')
  await diagnose({ file: { source: new MemorySource(repeated(head, 48 * 20_000)), name: 'a.webp' } })
  expect(takes.mock.calls.length).toBeLessThan(6_000)
})
