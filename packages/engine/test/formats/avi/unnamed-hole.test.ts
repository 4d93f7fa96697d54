import { expect, it } from 'vitest'
import { avi } from '../../../src/formats/avi/index.ts'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { read, repaired } from './support/repaired.ts'

const ENTRY = 16
const NAMED = 40

it.each(fixturesOf(avi))(
  'what a hole cost behind which the index of $name names nothing is in doubt',
  async ({ bytes }) => {
    const { chunks } = (await read(bytes)).walk
    const from = chunks.offset[80] + (chunks.size[80] >> 1)
    const until = chunks.offset[104] + (chunks.size[104] >> 1)
    const damaged = bytes.slice().fill(0, parts(bytes).index + 8 + NAMED * ENTRY)
    const torn = Uint8Array.from([...damaged.subarray(0, from), ...damaged.subarray(until)])
    const { report } = await repaired(torn)
    expect(report.doubts?.map(({ code }) => code)).toContain('times')
  },
)
