import { describe, expect, it, vi } from 'vitest'
import { mendBlockTimes, rightTime } from '../../../src/formats/matroska/mend/flipped-times.ts'
import { pacesOf } from '../../../src/formats/matroska/mend/pace.ts'
import { BlockTable } from '../../../src/formats/matroska/read/block-table.ts'
import type { Run, Survey } from '../../../src/formats/matroska/read/survey.ts'

describe('the time of a block among its neighbours', () => {
  const near = [0, 33, 67, 100, 167, 200, 233, 267]

  it('is put right where one bit of it is flipped', () => {
    for (const bit of [12, 13, 14, 15])
      expect(rightTime(((133 ^ (1 << bit)) << 16) >> 16, near, 33.34)).toBe(133)
  })

  it('stays where it fits, is merely late, or no single bit explains it', () => {
    expect(rightTime(133, near, 33.34)).toBeUndefined()
    expect(rightTime(600, near, 33.34)).toBeUndefined()
    expect(rightTime(9_999, near, 33.34)).toBeUndefined()
  })
})

describe('times of blocks that last some long, some short', () => {
  // Vorbis at 44.1 kHz: blocks of 256 and 2048 samples as they follow each other in a recording
  const lasts = [3, 3, 3, 3, 3, 3, 13, 23, 23, 23, 13, 3, 3, 3, 3, 3, 3, 3, 13, 23, 23, 23, 23]
  const times = [0]
  for (const last of Array.from({ length: 10 }, () => lasts).flat())
    times.push(times[times.length - 1] + last)

  function mend(relative: readonly number[]): { rows: number[]; times: number[] } {
    const blocks = new BlockTable(1000)
    for (const time of relative) {
      const row = blocks.push()
      blocks.track[row] = 1
      blocks.relative[row] = time
      blocks.duration[row] = -1
    }
    const size = 100_000
    const run: Run = {
      ...{ offset: 0, end: size, body: 0, size, headed: true, time: 0, sum: -1, sumFrom: -1, firstRow: 0 },
      ...{ endRow: blocks.length, gap: -1, altered: false },
    }
    const survey: Survey = {
      ...{
        size,
        docType: undefined,
        segment: undefined,
        elements: [],
        info: undefined,
        tracks: [],
        tracksWhole: true,
      },
      ...{ runs: [run], blocks, gaps: [], cutAt: undefined, further: undefined },
    }
    const rows = mendBlockTimes(survey, pacesOf(survey, [], 1e6), () => false)
    return { rows, times: Array.from(blocks.relative.subarray(0, blocks.length)) }
  }

  it('are sorted where they lie apart, and not around each block', () => {
    const sorts = vi.spyOn(Array.prototype, 'sort')
    mend(Array.from({ length: 900 }, (_, i) => i * 33))
    expect(sorts.mock.calls.length).toBeLessThan(20)
    vi.restoreAllMocks()
  })

  it('stay as they are, however far from each other', () => {
    expect(mend(times).rows).toEqual([])
  })

  it('are put right where a flipped bit puts one out of order', () => {
    const flipped = times.map((time, row) => (row === 95 ? time ^ (1 << 12) : time))
    expect(mend(flipped)).toEqual({ rows: [95], times })
  })
})
