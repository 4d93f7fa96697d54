import { expect, it } from 'vitest'
import { mendFragmentTimes } from '../../../../src/formats/isobmff/mend/fragment-times.ts'
import type { Fragment } from '../../../../src/formats/isobmff/read/fragment-drafts.ts'
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
const UNTOLD = {
  dataOffset: undefined,
  firstFlags: undefined,
  durations: undefined,
  sizes: undefined,
  flags: undefined,
  compositions: undefined,
}

/** Fragments of as many pictures each that say nowhere how long those last, but when each fragment starts. */
function fragments(count: number): Fragment[] {
  return Array.from({ length: count }, (_, i) => ({
    moof: { type: 'moof', offset: i * 1000, header: 8, size: 200, end: i * 1000 + 200, form: '32' as const },
    missing: 0,
    payload: undefined,
    tracks: [
      {
        header: { track: 1, ...UNSAID, baseIsFragment: true },
        start: i * PICTURES * TICKS,
        runs: [{ count: PICTURES, ...UNTOLD }],
      },
    ],
  }))
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
  for (const [i, duration] of durations.entries())
    hit[i].tracks[0].header = { ...hit[i].tracks[0].header, duration }
  mendFragmentTimes(hit, KNOWN, () => 0, new Findings(9))
  expect(hit.map(({ tracks }) => tracks[0].header.duration)).toEqual(durations.map(() => TICKS))
})

it('a start behind the next one is mended although durations of the fragment before were hit by several bits', () => {
  const [first, second, ...rest] = fragments(4).map(({ tracks: [part] }) => part)
  const durations = new Uint32Array(PICTURES).fill(TICKS)
  durations[3] = TICKS ^ 0x400000
  durations[7] = TICKS ^ 0x81000
  const parts = [{ ...first, runs: [{ ...first.runs[0], durations }] }, second, ...rest]
  second.start = PICTURES * TICKS + 2 ** 37
  const hit = fragments(4).map((fragment, i) => ({ ...fragment, tracks: [parts[i]] }))
  mendFragmentTimes(hit, KNOWN, () => TICKS, new Findings(9))
  expect(second.start).toBe(PICTURES * TICKS)
  expect(new Set(durations)).toEqual(new Set([TICKS]))
})
