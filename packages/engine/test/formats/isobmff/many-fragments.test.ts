import { expect, it } from 'vitest'
import { FRAGMENT_ADVERSARIES } from '../../../testing/adversaries/fragment-adversaries.ts'
import { read } from './support/engine.ts'

/** Some 27,000 fragments, each of another track. */
const BYTES = 2_400_000
/** Processor time; what grows with the square of the fragments takes many times as long. */
const SECONDS = 4

it('fragments of ever other tracks are read in time with their number', async () => {
  const many = FRAGMENT_ADVERSARIES.find(({ name }) => name === 'fragments of tracks that nobody knows')
  if (!many) throw new Error('there is no such adversary')
  const { damaged } = many.make(BYTES)
  const before = process.threadCpuUsage()
  const { fragments } = await read(damaged)
  const { user, system } = process.threadCpuUsage(before)
  expect(fragments.length).toBeGreaterThan(20_000)
  expect((user + system) / 1e6).toBeLessThan(SECONDS)
}, 60_000)
