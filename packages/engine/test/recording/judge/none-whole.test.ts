import { describe, expect, it } from 'vitest'
import { DOUBT } from '../../../src/model/doubt.ts'
import type { TrackReport } from '../../../src/model/report.ts'
import { doubtingTornTracks } from '../../../src/recording/judge/none-whole.ts'

const track = (recovered: number, damaged: number, kind: TrackReport['kind'] = 'video'): TrackReport => ({
  id: 1,
  kind,
  codec: 'mjpeg',
  recovered,
  damaged,
  lost: 0,
  duration: 4,
  times: 'exact',
  ranges: [],
})

describe('a track of which no unit is whole', () => {
  it('puts a repair in doubt', () => {
    const judged = doubtingTornTracks({ verdict: 'repaired', tracks: [track(40, 0, 'audio'), track(0, 96)] })
    expect(judged).toMatchObject({ verdict: 'partial', doubts: [DOUBT.noneWhole] })
  })

  it('adds to the doubts that hold, once', () => {
    const judged = doubtingTornTracks({ verdict: 'partial', tracks: [track(0, 96)], doubts: [DOUBT.times] })
    expect(judged.doubts).toEqual([DOUBT.times, DOUBT.noneWhole])
    expect(doubtingTornTracks(judged).doubts).toHaveLength(2)
  })

  it.each([
    ['one damaged picture is all there was', 'repaired', track(0, 1)],
    ['a single picture is whole', 'repaired', track(1, 95)],
    ['it is neither seen nor heard', 'repaired', track(0, 96, 'data')],
    ['nothing was written', 'unrepairable', track(0, 96)],
  ] as const)('is none where %s', (_, verdict, only) => {
    const outcome = { verdict, tracks: [only] }
    expect(doubtingTornTracks(outcome)).toBe(outcome)
  })
})
