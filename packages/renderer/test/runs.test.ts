import { describe, expect, it } from 'vitest'
import type { Film } from '../src/tasks/enhance/film.ts'
import { damagedRuns, isEntry, joinedRuns, type Run, widened } from '../src/tasks/enhance/runs.ts'

/** Types of HEVC units (ITU-T H.265 table 7-1): an instant start, a clean one that others may lead, any other picture. */
const TYPES: Readonly<Record<string, number>> = { I: 19, N: 20, C: 21, P: 1, K: 1 }

/**
 * A film of HEVC by its pictures in decoding order, as `I0 P2 P1 C5 P3 P4`: type and place in display order. `K` is marked as a
 * key picture and is none.
 */
function filmOf(pictures: string): Film {
  const all = pictures.split(' ').map((name) => ({ type: name[0] ?? '', rank: Number(name.slice(1)) }))
  const rank = Uint32Array.from(all, (picture) => picture.rank)
  const extradata = Buffer.from([1, ...Array(20).fill(0), 3])
  const film = {
    stream: { codec: 'hevc', stream: { codecpar: { extradata } } },
    samples: { count: all.length },
    rank,
    separate: Uint8Array.from(all, (_, at) => Number(rank.subarray(0, at).every((other) => other < at))),
    isSync: (sample: number) => /[INCK]/.test(all[sample]?.type ?? ''),
    read: (sample: number) => Buffer.from([0, 0, 0, 2, (TYPES[all[sample]?.type ?? ''] ?? 0) << 1, 1]),
  }
  return film as unknown as Film
}

function hit(film: Film, ...damaged: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: film.samples.count }, (_, at) => Number(damaged.includes(at)))
}

const runsOf = (pictures: string, ...damaged: readonly number[]): Run[] => {
  const film = filmOf(pictures)
  return damagedRuns(film, hit(film, ...damaged))
}

describe('stretches that are encoded anew', () => {
  it('reach from the last clean place to the next picture that needs nothing', () => {
    expect(runsOf('I0 P1 P2 P3 I4 P5', 2)).toEqual([{ start: 2, end: 4 }])
    expect(runsOf('I0 P3 P1 P2 I4 P5', 2)).toEqual([{ start: 1, end: 4 }])
    expect(runsOf('I0 P1 P2 N3 P4', 1)).toEqual([{ start: 1, end: 3 }])
    expect(runsOf('I0 P1 P2')).toEqual([])
  })

  it('go on where that picture is damaged too, or is no start after all, to the end of the film', () => {
    expect(runsOf('I0 P1 I2 P3 I4 P5', 1, 2)).toEqual([{ start: 1, end: 4 }])
    expect(runsOf('I0 P1 K2 P3', 1)).toEqual([{ start: 1, end: 4 }])
    expect(runsOf('I0 P1 P2', 2)).toEqual([{ start: 2, end: 3 }])
  })

  it('are several where sound pictures lie between, and one never begins in another', () => {
    expect(runsOf('I0 P1 I2 P3 P4 I5', 1, 4)).toEqual([
      { start: 1, end: 2 },
      { start: 4, end: 5 },
    ])
    expect(runsOf('I0 P1 I2 P3', 1, 2)).toEqual([{ start: 1, end: 4 }])
    expect(runsOf('I0 P1 I2 P4 P3 I5', 1, 3)).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 5 },
    ])
  })

  it('take in what leads a clean start, which stays, unless that is hit or does not end cleanly', () => {
    expect(runsOf('I0 P1 C4 P2 P3 P5', 1)).toEqual([{ start: 1, end: 5, kept: 2 }])
    expect(runsOf('I0 P1 C4 P2 P3', 1)).toEqual([{ start: 1, end: 5, kept: 2 }])
    expect(runsOf('I0 P1 C4 P2 P3 P5 I6', 1, 4)).toEqual([{ start: 1, end: 6 }])
    expect(runsOf('I0 P1 C2 P3', 1)).toEqual([{ start: 1, end: 3, kept: 2 }])
    // behind the start another picture is shown before what leads it
    expect(runsOf('I0 P1 C4 P3 P5 P2 I6', 1)).toEqual([{ start: 1, end: 6 }])
  })

  it('may end at the next such place instead', () => {
    const film = filmOf('I0 P1 I2 P3 I4 P5 P6')
    const damaged = hit(film, 1)
    const [run = { start: 0, end: 0 }] = damagedRuns(film, damaged)
    const longer = widened(film, damaged, run)
    expect([run, longer]).toEqual([
      { start: 1, end: 2 },
      { start: 1, end: 4 },
    ])
    const whole = longer && widened(film, damaged, longer)
    expect(whole).toEqual({ start: 1, end: 7 })
    expect(whole && widened(film, damaged, whole)).toBeUndefined()
  })

  it('are joined where they reach into each other', () => {
    const kept = { start: 5, end: 9, kept: 7 }
    expect(joinedRuns([kept, { start: 0, end: 2 }, { start: 2, end: 4 }])).toEqual([
      ...[{ start: 0, end: 2 }, { start: 2, end: 4 }, kept],
    ])
    expect(joinedRuns([{ start: 0, end: 6 }, kept])).toEqual([{ ...kept, start: 0 }])
    expect(joinedRuns([{ start: 4, end: 9 }, kept, { start: 6, end: 8 }])).toEqual([{ start: 4, end: 9 }])
  })
})

it('decoding starts at instant pictures that nothing before them outlasts', () => {
  const film = filmOf('I0 P2 P1 N3 P5 I4 C6')
  expect([0, 1, 2, 3, 4, 5, 6].filter((sample) => isEntry(film, sample))).toEqual([0, 3])
})
