import { expect, it } from 'vitest'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import type { Lane } from '../../src/recovery/carving/lane.ts'
import { LookAhead } from '../../src/recovery/carving/look-ahead.ts'
import { noise, readerOf } from '../../testing/video/replay.ts'
import { interleave, lane, prior } from './lanes.ts'

const LENGTH = 3
const EVIDENCE = 18

/** A unit of three bytes anywhere. */
const short: Recogniser = {
  codec: 'test',
  timescale: 0,
  orderStep: 1,
  selfDelimiting: true,
  recognise: (_reader, offset, _end, unit) => {
    Object.assign(unit, { evidence: EVIDENCE, length: LENGTH, lengthKnown: true, damaged: false })
    return offset === 0
  },
  accept: () => {},
  discontinuity: () => {},
  search: (_reader, _from, end) => end,
}

function chosen(others: readonly Lane[], filler: number): number {
  const video = { ...lane(0, 'video', 25), recogniser: short }
  const group = { lanes: [video], family: [video], recogniser: short, unit: new Unit() }
  const priors = [video, ...others].map(() => prior(1, 1000))
  const ahead = new LookAhead(
    readerOf(noise(100, 3)),
    [video, ...others],
    [{ ...group, at: -1, matched: false, recoveryIsKey: false }],
    { ...interleave(priors), filler },
  )
  return ahead.choose(0, 100, 0)
}

it('a short unit in front of damage is believed where nothing but units lies', () => {
  expect(chosen([], 0)).toBe(0)
})

it('a short unit in front of damage may be sound without syntax, or filler', () => {
  expect(chosen([{ ...lane(1, 'audio', 8_000), group: -1 }], 0)).toBe(-1)
  expect(chosen([], 40)).toBe(-1)
})
