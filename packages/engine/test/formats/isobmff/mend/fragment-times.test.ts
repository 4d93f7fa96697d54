import { expect, it } from 'vitest'
import { RUN_DURATION } from '../../../../src/formats/isobmff/boxes/trun.ts'
import { mendFragmentTimes } from '../../../../src/formats/isobmff/mend/fragments/fragment-times.ts'
import { Fragments } from '../../../../src/formats/isobmff/read/fragments.ts'
import { Findings } from '../../../../src/model/finding.ts'

const PICTURES = 30
const TICKS = 83
const KNOWN = new Set([1])

const UNSAID = {
  baseOffset: undefined,
  description: undefined,
  duration: undefined,
  size: undefined,
  flags: undefined,
}
const UNTOLD = { dataOffset: undefined, firstFlags: undefined, fields: 0, entries: [] }

/**
 * Fragments of as many pictures each that say when each fragment starts, but nowhere how long those last, except for
 * fragment `at` where durations are given.
 */
function fragments(count: number, durations?: ArrayLike<number>, at = 0): Fragments {
  const made = new Fragments(
    Array.from({ length: count }, (_, i) => ({
      ...{ type: 'moof', offset: i * 1000, header: 8, size: 200, end: i * 1000 + 200, form: '32' as const },
    })),
  )
  for (let i = 0; i < count; i++) {
    made.addFragment(undefined)
    made.addPart({ track: 1, ...UNSAID, baseIsFragment: true }, i * PICTURES * TICKS)
    const told = i === at && durations ? { fields: RUN_DURATION, entries: durations } : {}
    made.addRun({ count: PICTURES, ...UNTOLD, ...told })
  }
  return made
}

it('a default duration with a flipped bit is the one that all fragments ask for', () => {
  for (let bit = 0; bit < 32; bit++) {
    const found = mendFragmentTimes(fragments(4), KNOWN, () => (TICKS ^ (1 << bit)) >>> 0, new Findings(9))
    expect(found, `bit ${bit}`).toEqual(new Map([[1, TICKS]]))
  }
  expect(mendFragmentTimes(fragments(4), KNOWN, () => TICKS, new Findings(9))).toEqual(new Map())
})

it('a default duration that is lost is the one that all fragments ask for, where the movie box was hit', () => {
  const sound = new Findings(9)
  expect(mendFragmentTimes(fragments(4), KNOWN, () => 0, sound)).toEqual(new Map())
  expect(sound.healthy).toBe(true)
  const hit = new Findings(9)
  hit.add({ code: 'isobmff.box-garbage', severity: 'error', message: '' })
  expect(mendFragmentTimes(fragments(4), KNOWN, () => 0, hit)).toEqual(new Map([[1, TICKS]]))
})

it('a duration of one fragment with two flipped bits is the one of the others where the next start asks for it', () => {
  const durations = [TICKS, TICKS ^ 0x810, TICKS, TICKS]
  const hit = fragments(durations.length)
  for (const [i, duration] of durations.entries()) hit.headers[i] = { ...hit.headers[i], duration }
  mendFragmentTimes(hit, KNOWN, () => 0, new Findings(9))
  expect(hit.headers.map(({ duration }) => duration)).toEqual(durations.map(() => TICKS))
})

it('a start behind the next one is mended although durations of the fragment before were hit by several bits', () => {
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  durations[3] = TICKS ^ 0x400000
  durations[7] = TICKS ^ 0x81000
  const hit = fragments(4, durations)
  hit.start[1] = PICTURES * TICKS + 2 ** 37
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(hit.start[1]).toBe(PICTURES * TICKS)
  expect(new Set(hit.values(0, RUN_DURATION))).toEqual(new Set([TICKS]))
})

it('a duration that was hit is mended, and not the last start, which fits it then', () => {
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  durations[9] = TICKS + 2 ** 27
  const hit = fragments(4, durations, 2)
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(hit.start[3]).toBe(3 * PICTURES * TICKS)
  expect(new Set(hit.values(2, RUN_DURATION))).toEqual(new Set([TICKS]))
})

it('a start that was hit is mended although durations of its fragment were, too', () => {
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  durations[3] = TICKS + 2 ** 31
  durations[7] = TICKS ^ 0x8
  const hit = fragments(4, durations, 2)
  hit.start[2] += 2 ** 22
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(hit.start[2]).toBe(2 * PICTURES * TICKS)
  expect(new Set(hit.values(2, RUN_DURATION))).toEqual(new Set([TICKS]))
})

it('a duration that a clock rounded to the next tick stays where no next start tells; one that a bit made longer is mended', () => {
  const durations = new Uint32Array(PICTURES).fill(20)
  durations[11] = 21
  durations[17] = 20 + 64
  const lone = fragments(1, durations)
  lone.start[0] = Number.NaN
  mendFragmentTimes(lone, KNOWN, () => 20, new Findings(9))
  expect(Array.from(durations, (_, i) => lone.value(0, RUN_DURATION, i))).toEqual(
    Array.from(durations, (_, i) => (i === 11 ? 21 : 20)),
  )
})

it('two starts one behind the other and a duration that were hit are mended by the fragments behind them', () => {
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  durations[5] = TICKS ^ 0x80000
  const hit = fragments(5, durations)
  hit.start[0] = 2 ** 53
  hit.start[1] = (PICTURES * TICKS) ^ 0x200000
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(Array.from(hit.start.subarray(0, 5))).toEqual([0, 1, 2, 3, 4].map((i) => i * PICTURES * TICKS))
  expect(Array.from({ length: PICTURES }, (_, i) => hit.value(0, RUN_DURATION, i))).toEqual(
    new Array(PICTURES).fill(TICKS),
  )
})

it('a first start and several durations of its fragment that were hit are mended where one bit of each explains all', () => {
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  const sound = Uint32Array.from(durations)
  sound[0] = durations[0] = 3 * TICKS + 5
  durations[0] ^= 0x4000000
  durations[9] ^= 0x80
  const hit = fragments(5, durations)
  for (let i = 1; i < 5; i++) hit.start[i] += 2 * TICKS + 5
  hit.start[0] = 2 ** 39
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(hit.start[0]).toBe(0)
  expect(Array.from(sound, (_, i) => hit.value(0, RUN_DURATION, i))).toEqual(Array.from(sound))
})

it('a start and a duration of its fragment that could be mended together in two ways stay', () => {
  const durations = new Uint32Array(PICTURES).fill(1)
  // 128 more of one tell of a start at 256, 128 less of the other of one at 512
  durations[4] = 20
  durations[5] = 148
  const hit = fragments(5, durations)
  hit.start[0] = 768
  for (let i = 1; i < 5; i++) hit.start[i] = 580 + (i - 1) * PICTURES * TICKS
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(hit.start[0]).toBe(768)
  expect(Array.from(durations, (_, i) => hit.value(0, RUN_DURATION, i))).toEqual(Array.from(durations))
})
