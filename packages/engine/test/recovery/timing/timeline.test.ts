import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeRegions } from '../../../src/bytes/regions.ts'
import { SAMPLE_KEY, SAMPLE_RESTART } from '../../../src/model/sample-table.ts'
import type { Lane } from '../../../src/recovery/carving/lane.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { hole, interleave, lane, prior, record, setUp, times, WITH_B } from '../lanes.ts'

describe('timeline', () => {
  it('shows pictures in the order their numbering tells, at a constant rate', () => {
    const { video, audio } = setUp()
    record(video, audio, WITH_B, 21, () => false)
    const [pictures] = timeline([video, audio], interleave([prior(1, 25_000), prior(20, 5_000)]), [])
    const expected = Array.from({ length: 21 }, (_, i) => Math.floor(i / 7) * 7 + WITH_B[i % 7])
    expect(times(video, pictures.compositionShift)).toEqual(expected)
    expect(Math.min(...video.table.cts.subarray(0, 21))).toBeGreaterThanOrEqual(0)
  })

  it.each([
    ['the sound around each tells', 0.03, false],
    ['no sound near enough tells', 0.2, true],
  ])(
    'doubts the times of pictures that may be missing as some of the sample are, unless %s',
    (_, width, untimed) => {
      const { video, audio } = setUp()
      record(video, audio, WITH_B, 42, () => false)
      const lag = { low: 0, high: width, runLow: 0, runHigh: width }
      const told = (skips: boolean) =>
        timeline(
          [video, audio],
          { ...interleave([{ ...prior(1, 25_000), skips }, prior(20, 5_000)]), lag },
          [],
        )[0]
      expect(told(true).untimed).toBe(untimed)
      expect(told(false).untimed).toBe(false)
    },
  )

  it('keeps room for pictures that were to be shown before the last one when the recording broke off', () => {
    const pyramid = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12]
    for (const [orders, count, end] of [
      [WITH_B, 17, [14, 17, 15]],
      [pyramid, 7, [3, 8, 6]],
      [pyramid, 10, [5, 7, 12]],
    ] as const) {
      const { video, audio } = setUp()
      record(video, audio, orders, count, () => false)
      const [pictures] = timeline([video, audio], interleave([prior(1, 25_000), prior(20, 5_000)]), [])
      expect(times(video, pictures.compositionShift).slice(-3)).toEqual(end)
    }
  })

  it('keeps pictures behind a lost key picture in place when one that they are shown before was lost with it', () => {
    const { video, audio } = setUp()
    const isLost = (unit: number): boolean => unit >= 11 && unit <= 15
    record(video, audio, WITH_B, 42, (kind, unit) => isLost(kind === 'video' ? unit : unit >> 1))
    const lost = hole([video, audio], 11 * 1200, 16 * 1200)
    const [pictures] = timeline([video, audio], interleave([prior(1, 25_000), prior(20, 5_000)]), [lost])
    const all = Array.from({ length: 42 }, (_, i) => Math.floor(i / 7) * 7 + WITH_B[i % 7])
    expect(times(video, pictures.compositionShift)).toEqual(all.filter((_, i) => !isLost(i)))
  })

  it('begins as much earlier as pictures are missing between the first ones where the head is lost', () => {
    const { video, audio } = setUp()
    const isLost = (unit: number): boolean => unit < 2
    record(video, audio, WITH_B, 42, (kind, unit) => isLost(kind === 'video' ? unit : unit >> 1))
    const lost = hole([video, audio], 0, 2 * 1200)
    const learned = { ...interleave([prior(1, 25_000), prior(20, 5_000)]), lead: [0, -0.04] }
    const [pictures, sound] = timeline([video, audio], learned, [lost])
    expect(times(video, pictures.compositionShift).slice(0, 7)).toEqual([0, 1, 5, 3, 4, 6, 9])
    expect([pictures.startDelay, sound.startDelay]).toEqual([0, 40])
    expect(pictures.untimed).toBe(false)
  })

  it('shows the first picture a whole one before the second where numbers of finer ticks were cut to whole ones', () => {
    const { video, audio } = setUp()
    const orders = Array.from({ length: 21 }, (_, i) => i)
    record(video, audio, orders, 21, (kind, unit) => kind === 'video' && unit === 9)
    // 0, 1, 3, 5, …: as H.263 at 15 pictures a second counts 29.97
    for (let row = 1; row < video.table.length; row++) video.table.order[row]--
    const lost = hole([video, audio], 9 * 1200, 9 * 1200 + 1000)
    timeline([video, audio], interleave([prior(2, 25_000), prior(20, 5_000)]), [lost])
    expect(times(video, 0).slice(0, 12)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 22, 24])
  })

  it('keeps decoding times rising', () => {
    const { video, audio } = setUp()
    record(video, audio, WITH_B, 70, () => false)
    timeline([video, audio], interleave([prior(1, 25_000), prior(20, 5_000)]), [])
    const { dts, length } = video.table
    for (let row = 1; row < length; row++) expect(dts[row]).toBeGreaterThan(dts[row - 1])
  })

  it('makes times rise and durations add up, whatever is lost between key pictures', () => {
    const orders = fc.constantFrom([0], WITH_B, [0, 4, 2, 1, 3])
    const gone = fc.array(fc.tuple(fc.integer({ min: 1, max: 58 }), fc.integer({ min: 1, max: 6 })), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(orders, gone, fc.boolean(), (group, holes, soundToo) => {
        const { video, audio } = setUp()
        const isLost = (picture: number): boolean =>
          picture % group.length !== (group.length > 1 ? 0 : -1) &&
          holes.some(([from, length]) => picture >= from && picture < from + length)
        record(video, audio, group, 60, (kind, unit) =>
          kind === 'video' ? isLost(unit) : soundToo && isLost(unit >> 1),
        )
        const lanes = [video, audio]
        const lost = mergeRegions(
          holes.map(([from, length]) => ({ offset: from * 1200, length: length * 1200 })),
        )
        timeline(
          lanes,
          interleave([prior(1, 25_000), prior(20, 5_000)]),
          lost.map(({ offset, length }) => hole(lanes, offset, offset + length)),
        )
        for (const { table } of lanes) {
          const rows = [...table.dts.subarray(0, table.length)]
          for (let row = 1; row < rows.length; row++) {
            expect(rows[row]).toBeGreaterThan(rows[row - 1])
            expect(table.duration[row - 1]).toBe(rows[row] - rows[row - 1])
          }
          const shown = rows.map((time, row) => time + table.cts[row])
          expect(new Set(shown).size).toBe(shown.length)
          expect(Math.min(...table.cts.subarray(0, table.length))).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('keeps the time of pictures lost inside a group, from their numbering', () => {
    const { video, audio } = setUp()
    record(video, audio, WITH_B, 21, (kind, unit) => kind === 'video' && (unit === 9 || unit === 10))
    const lanes = [video, audio]
    const holes = [hole(lanes, 9 * 1200, 10 * 1200), hole(lanes, 10 * 1200, 10 * 1200 + 1000)]
    const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), holes)
    const all = Array.from({ length: 21 }, (_, i) => Math.floor(i / 7) * 7 + WITH_B[i % 7])
    expect(times(video, pictures.compositionShift)).toEqual(all.filter((_, i) => i !== 9 && i !== 10))
  })

  it('finds a picture lost at the start of a group by the sound around it', () => {
    const { video, audio } = setUp()
    record(video, audio, [0], 50, (kind, unit) => kind === 'video' && unit === 20)
    const lanes = [video, audio]
    const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), [
      hole(lanes, 20 * 1200, 20 * 1200 + 1000),
    ])
    expect(times(video, pictures.compositionShift)[20]).toBe(21)
    expect(audio.table.dts[audio.table.length - 1]).toBe(99 * 20)
  })

  it('finds sound lost alone by the pictures around it', () => {
    const { video, audio } = setUp()
    record(video, audio, [0], 50, (kind, unit) => kind === 'audio' && unit >= 30 && unit < 34)
    const lanes = [video, audio]
    const holes = [hole(lanes, 15 * 1200 + 1000, 16 * 1200), hole(lanes, 16 * 1200 + 1000, 17 * 1200)]
    timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), holes)
    const last = audio.table.length - 1
    expect(audio.table.dts[last]).toBe(99 * 20)
    expect(video.table.dts[video.table.length - 1]).toBe(49)
  })

  it("gives a large hole the length that its bytes had at the recording's rate", () => {
    const { video, audio } = setUp()
    record(
      video,
      audio,
      [0],
      100,
      (kind, unit) => unit >= (kind === 'video' ? 40 : 80) && unit < (kind === 'video' ? 60 : 120),
    )
    const lanes = [video, audio]
    timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), [hole(lanes, 40 * 1200, 60 * 1200)])
    expect(video.table.dts[video.table.length - 1]).toBe(99)
    expect(audio.table.dts[audio.table.length - 1]).toBe(199 * 20)
  })

  it('does not know the times behind a hole whose bytes may have held some pictures more or less', () => {
    const untimed = (sizes: readonly number[]): boolean => {
      const { video, audio } = setUp()
      const gone = (kind: 'video' | 'audio', unit: number): boolean =>
        unit >= (kind === 'video' ? 40 : 80) && unit < (kind === 'video' ? 60 : 120)
      record(video, audio, [0], 100, gone)
      for (let row = 0; row < video.table.length; row++) video.table.size[row] = sizes[row % sizes.length]
      const lanes = [video, audio]
      const holes = [hole(lanes, 40 * 1200, 60 * 1200)]
      return timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), holes)[0].untimed
    }
    expect(untimed([300, 1700, 1000])).toBe(true)
    expect(untimed([1000])).toBe(false)
  })

  it('does not know when sound was that is few bytes and comes in uneven runs, behind a hole', () => {
    const untimed = (runs: readonly number[]): readonly boolean[] => {
      const { video, audio } = setUp()
      let offset = 0
      for (let run = 0; run < 14; run++) {
        for (let i = 0; i < 5; i++, offset += 1000)
          if (run !== 6 || i !== 2) video.table.push(offset, 1000, 1, 1, (run * 5 + i) * 2, 0)
        for (let i = 0; i < runs[run % runs.length]; i++, offset += 4)
          audio.table.push(offset, 4, 1, 20, audio.table.length, SAMPLE_KEY)
      }
      const lanes = [video, audio]
      const from = video.table.offset[31] + 1000
      const sample = { ...interleave([prior(1, 25_000), prior(20, 200)]), spread: [0, 0.08] }
      return timeline(lanes, sample, [hole(lanes, from, from + 1000)]).map((lane) => lane.untimed)
    }
    expect(untimed([10, 14, 6, 13, 7])).toEqual([false, true])
    expect(untimed([10])).toEqual([false, false])
  })

  it('does not take the few pictures between two holes for others because they are decoded out of order', () => {
    const { video, audio } = setUp()
    const orders = [0, 2, 1, 4, 3, 6, 5, 8, 7, 9]
    const gone = [20, 24, 25]
    record(video, audio, orders, 60, (kind, unit) =>
      kind === 'video' ? gone.includes(unit) : unit === 48 || unit === 49,
    )
    const lanes = [video, audio]
    const holes = [hole(lanes, 20 * 1200, 20 * 1200 + 1000), hole(lanes, 24 * 1200, 25 * 1200 + 1000)]
    const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), holes)
    const all = Array.from({ length: 60 }, (_, i) => Math.floor(i / 10) * 10 + orders[i % 10])
    expect(times(video, pictures.compositionShift)).toEqual(all.filter((_, i) => !gone.includes(i)))
    expect(audio.table.dts[audio.table.length - 1]).toBe(119 * 20)
  })

  it('keeps the length of a group whose last picture to be shown was lost before others of it, or between two holes', () => {
    const cases: [readonly number[], readonly [number, number][]][] = [
      [[0, 3, 2, 1, 6, 5, 4, 9, 8, 7], [[25, 28]]],
      [
        [0, 4, 2, 1, 3, 8, 6, 5, 7, 9],
        [
          [21, 22],
          [26, 30],
        ],
      ],
    ]
    for (const [orders, gone] of cases) {
      const { video, audio } = setUp()
      const isLost = (unit: number): boolean => gone.some(([from, until]) => unit >= from && unit < until)
      record(video, audio, orders, 60, (kind, unit) => isLost(kind === 'video' ? unit : unit >> 1))
      const lanes = [video, audio]
      const holes = gone.map(([from, until]) => hole(lanes, from * 1200, until * 1200))
      const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), holes)
      const all = Array.from({ length: 60 }, (_, i) => Math.floor(i / 10) * 10 + orders[i % 10])
      expect(times(video, pictures.compositionShift)).toEqual(all.filter((_, i) => !isLost(i)))
      expect(audio.table.dts[audio.table.length - 1]).toBe(119 * 20)
    }
  })

  it('sees that numbers repeat where a hole is longer than their period', () => {
    const lost = (kind: 'video' | 'audio', unit: number): boolean =>
      unit >= (kind === 'video' ? 30 : 60) && unit < (kind === 'video' ? 70 : 140)
    const damaged = lane(0, 'video', 25, 64)
    const sound = lane(1, 'audio', 1000)
    record(damaged, sound, [0], 100, lost)
    // 40 pictures are 80 numbers, of which 16 show
    for (let row = 0; row < damaged.table.length; row++) {
      damaged.table.order[row] = row < 30 ? row * 2 : 76 + (row - 30) * 2
      damaged.table.flags[row] = row === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
    }
    const lanes = [damaged, sound]
    const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), [
      hole(lanes, 30 * 1200, 70 * 1200),
    ])
    expect(times(damaged, pictures.compositionShift).slice(28, 33)).toEqual([28, 29, 70, 71, 72])
  })

  it('moves numbers behind a hole up to the next restart alone', () => {
    const lost = (kind: 'video' | 'audio', unit: number): boolean =>
      unit >= (kind === 'video' ? 30 : 60) && unit < (kind === 'video' ? 70 : 140)
    const damaged = lane(0, 'video', 25, 64)
    const sound = lane(1, 'audio', 1000)
    record(damaged, sound, [0], 120, lost)
    const { table } = damaged
    for (let row = 0; row < table.length; row++) {
      // as many numbers are missing as show and 64 besides; 50 pictures behind the beginning they start anew
      table.order[row] = row < 30 ? row * 2 : row < 50 ? 76 + (row - 30) * 2 : 6 + (row - 50) * 2
      table.flags[row] = row === 0 ? SAMPLE_KEY | SAMPLE_RESTART : row === 50 ? SAMPLE_RESTART : 0
    }
    const lanes = [damaged, sound]
    timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), [hole(lanes, 30 * 1200, 70 * 1200)])
    expect([...table.order.subarray(28, 32), ...table.order.subarray(50, 53)]).toEqual([
      ...[56, 58, 140, 142],
      ...[6, 8, 10],
    ])
  })

  it('takes numbers that only count what was found for no proof that nothing was lost', () => {
    const { video, audio } = setUp()
    const blind = {
      ...video,
      recogniser: video.recogniser && { ...video.recogniser, orderPeriod: undefined },
    }
    record(video, audio, [0], 60, (kind, unit) => kind === 'video' && unit === 20)
    for (let row = 0; row < video.table.length; row++) video.table.order[row] = row
    const lanes = [blind as Lane, audio]
    const [pictures] = timeline(lanes, interleave([prior(1, 25_000), prior(20, 5_000)]), [
      hole(lanes, 20 * 1200, 20 * 1200 + 1000),
    ])
    expect(times(video, pictures.compositionShift)[20]).toBe(21)
    expect(pictures.estimated).toBe(true)
  })
})
