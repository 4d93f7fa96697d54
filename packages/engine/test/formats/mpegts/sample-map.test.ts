import { expect, it } from 'vitest'
import { sampleMap } from '../../../src/formats/mpegts/mend/tables.ts'
import type { ProgramMap } from '../../../src/syntax/psi/program-map.ts'

function map(
  pcrPid: number,
  ...streams: readonly (readonly [pid: number, streamType: number])[]
): ProgramMap {
  const descriptors = new Uint8Array(0)
  return {
    program: 1,
    pcrPid,
    descriptors,
    streams: streams.map(([pid, streamType]) => ({ pid, streamType, descriptors })),
  }
}

it('a program map comes from a sample only with the same clock, and every stream of the same type', () => {
  const own = map(256, [256, 0x1b], [257, 0x0f])
  const like = map(256, [256, 0x1b], [257, 0x0f], [258, 0x06])
  const others = [
    map(257, [256, 0x1b], [257, 0x0f]),
    map(256, [256, 0x1b]),
    map(256, [256, 0x1b], [257, 0x03]),
    map(256, [256, 0x1b], [259, 0x0f]),
  ]
  expect(sampleMap(others, own)).toBeUndefined()
  expect(sampleMap([...others, like], own)).toBe(like)
})
