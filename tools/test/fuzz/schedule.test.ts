import { describe, expect, it } from 'vitest'
import { Schedule } from '../../src/fuzz/schedule.ts'
import type { Target } from '../../src/fuzz/target.ts'
import { targets } from '../../src/fuzz/targets.ts'

const run = async (): Promise<number> => 0

describe('schedule', () => {
  const known: Target[] = [
    { name: 'slow', run },
    { name: 'quick', weight: 3, run },
  ]

  it('gives every target its share of inputs, numbered without a gap and without a repetition', () => {
    const schedule = new Schedule(known, 100)
    const turns = Array.from({ length: 20 }, (_, number) => schedule.at(number))
    const seeds = (name: string): number[] =>
      turns.flatMap(({ target, seed }) => (target.name === name ? [seed] : [])).sort((a, b) => a - b)
    expect(seeds('slow')).toEqual([100, 101, 102, 103, 104])
    expect(seeds('quick')).toEqual(Array.from({ length: 15 }, (_, i) => 100 + i))
  })

  it('refuses to run nothing', () => {
    expect(() => new Schedule([], 1).at(0)).toThrow('there are no targets')
  })
})

describe('targets', () => {
  it('lead to every parser of ISO media and to every recogniser', () => {
    const names = targets().map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['diagnose', 'repair', 'mend the index of', 'carve', 'deduce', 'profile'].map(
          (work) => `${work} isobmff`,
        ),
        ...['camm', 'gpmd', 'mebx', 'fdsc', 'opus', 'vp9', 'av1', 'vp8'].map((codec) => `recognise ${codec}`),
      ]),
    )
  })
})
