import { expect, it } from 'vitest'
import { furtherLoss } from '../../../src/recovery/losses/further-pictures.ts'
import type { KnownNumbers } from '../../../src/recovery/losses/loss.ts'

type Known = NonNullable<ReturnType<KnownNumbers>>

function known(missing: number, sinceKey: number): Known {
  const flags = { crowded: false, goesOn: false, halves: false, anew: false, linked: false }
  return { counted: missing, numbering: { missing, period: 16, sinceKey, slack: 0, beyond: 0, ...flags } }
}

it('counts what a further track lost by its own numbers, over whole periods too, or from a lost key picture on', () => {
  expect(furtherLoss(known(5, 9), 6)).toMatchObject({ pictures: 5, link: 'told', estimated: false })
  expect(furtherLoss(known(5, 9), 21)).toMatchObject({ pictures: 21, link: 21, estimated: false })
  expect(furtherLoss(known(-20, 3), 7)).toMatchObject({ pictures: 7, link: 'anew', behindKey: 3 })
  expect(furtherLoss(undefined, 7)).toMatchObject({ pictures: 7, link: 'told', estimated: true })
})
