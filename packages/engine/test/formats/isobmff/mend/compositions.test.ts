import { describe, expect, it } from 'vitest'
import { RunBuilder } from '../../../../src/formats/isobmff/boxes/stts.ts'
import { mendCompositions } from '../../../../src/formats/isobmff/mend/times/compositions.ts'
import { Allowance } from '../../../../src/model/allowance.ts'

const WORK = (): Allowance => new Allowance(1_000_000)

/** Ticks between the pictures of a recording that leaves some out. */
const STEPS = Array.from({ length: 80 }, (_, i) => (i % 7 === 3 ? 24 : i % 11 === 5 ? 36 : 12))

/** Durations and composition offsets of pictures that are each decoded when the one before it is shown. */
function recording(): { durations: RunBuilder; offsets: number[] } {
  const durations = new RunBuilder()
  for (const step of STEPS) durations.add(step)
  return { durations, offsets: [...STEPS] }
}

function runsOf(offsets: readonly number[]): RunBuilder {
  const runs = new RunBuilder()
  for (const offset of offsets) runs.add(offset)
  return runs
}

describe('pictures of a variable rate, decoded when the one before is shown', () => {
  it('are left as they are', () => {
    const { durations, offsets } = recording()
    expect(mendCompositions(runsOf(offsets), durations, STEPS.length, true, WORK())).toBeUndefined()
  })

  it('are mended where a bit was flipped', () => {
    const { durations, offsets } = recording()
    const hit = [...offsets]
    hit[40] ^= 1 << 9
    const mended = mendCompositions(runsOf(hit), durations, STEPS.length, true, WORK())
    const found: number[] = []
    for (let run = 0; mended && run < mended.runs.length; run++)
      for (let i = 0; i < mended.runs.counts[run]; i++) found.push(mended.runs.values[run])
    expect(found).toEqual(offsets)
  })
})

it('a bit that was flipped near the end of pictures that are reordered is mended: what is shown there is no witness of itself', () => {
  const group = [5, 2, 0, 1]
  const places = [2, 3, 1, 5, 2, 0, 1, 5, 2, 0, 1, 4, 2, 0, ...group, ...group, ...group, ...group]
  const ticks = places.map((late) => late * 1001)
  const durations = new RunBuilder()
  for (let i = 0; i < ticks.length; i++) durations.add(1001)
  expect(mendCompositions(runsOf(ticks), durations, ticks.length, true, WORK())).toBeUndefined()
  for (const sample of [28, 24, 13]) {
    const hit = ticks.map((offset, i) => (i === sample ? offset ^ 1024 : offset))
    const mended = mendCompositions(runsOf(hit), durations, ticks.length, true, WORK())
    expect([...(mended?.runs.values ?? [])].slice(0, ticks.length)).toEqual(ticks)
  }
})

it('a count that several runs may lack is a guess, and one that fits one run alone is none', () => {
  const durations = new RunBuilder()
  for (let i = 0; i < 90; i++) durations.add(1)
  // groups of three and of two pictures, in longer and longer stretches without reordering
  const runs = (counts: readonly number[]) => {
    const values = [2, 4, 1, 2, 3, 1, 2]
    return {
      length: counts.length,
      counts: Uint32Array.from(counts),
      values: Float64Array.from(values.slice(0, counts.length)),
    }
  }
  const right = [1, 1, 2, 24, 1, 1, 60]
  const guessed = (counts: readonly number[]): boolean | undefined =>
    mendCompositions(runs(counts), durations, 90, true, WORK())?.guessed
  expect(guessed(right)).toBeUndefined()
  // 32 samples are missing, which the first run and the fourth may have as well as the last
  expect(guessed([1, 1, 2, 24, 1, 1, 28])).toBe(true)
  // nothing but the last run can have 64 too many
  expect(guessed([1, 1, 2, 24, 1, 1, 124])).toBe(false)
})

it('a count is told where another that was hit in its offset would explain it as well, or is a guess', () => {
  // picture, middle, two between; and stretches of two and of six pictures shown as they are decoded
  const pyramids = (times: number) => Array.from({ length: times }, () => [5, 2, 0, 1]).flat()
  const offsets = [...pyramids(10), 2, 2, ...pyramids(10), 2, 2, 2, 2, 2, 2, ...pyramids(2)]
  const written = runsOf(offsets)
  const counts = written.counts.slice(0, written.length)
  const values = written.values.slice(0, written.length)
  const [two, six] = [counts.indexOf(2), counts.indexOf(6)]
  const durations = new RunBuilder()
  for (let i = 0; i < offsets.length; i++) durations.add(1)
  // two pictures with the offset that was hit in the second stretch seem fewer faults than six
  counts[two] ^= 4
  values[six] += 1 << 28
  const hit = { length: counts.length, counts, values }
  const mended = mendCompositions(hit, durations, offsets.length, true, WORK())
  const found = Array.from({ length: mended?.runs.length ?? 0 }, (_, run) =>
    Array.from({ length: mended?.runs.counts[run] ?? 0 }, () => mended?.runs.values[run]),
  ).flat()
  expect(mended?.guessed || found.every((offset, i) => offset === offsets[i])).toBe(true)
})

it('offsets of a table whose counts are noise are a guess, though the first run has all samples', () => {
  const durations = new RunBuilder()
  for (let i = 0; i < 90; i++) durations.add(100)
  const runs = {
    length: 3,
    counts: Uint32Array.of(0xd37a_4ed7, 0xaff3_11fa, 77),
    values: Int32Array.of(1, 9, -4),
  }
  expect(mendCompositions(runs, durations, 90, true, WORK())?.guessed ?? true).toBe(true)
})
