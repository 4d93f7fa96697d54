import { describe, expect, it } from 'vitest'
import { SAMPLE_KEY } from '../../../src/model/sample-table.ts'
import { timeline } from '../../../src/recovery/timing/timeline.ts'
import { hole, interleave, prior, record, setUp, times, WITH_B } from '../lanes.ts'

/** Sound around pictures that is too far away to time each, but near enough to tell a rate. */
const WIDE = { low: -0.2, high: 0, runLow: -0.2, runHigh: 0 }

describe('pictures of an uneven rate', () => {
  it('says that pictures which came at no even rate have no known times where no sound tells them', () => {
    const { video, audio } = setUp()
    record(video, audio, [0], 21, () => false)
    const uneven = { ...prior(1, 25_000), constantRate: false, steady: false }
    const [pictures, sound] = timeline([video, audio], interleave([uneven, prior(20, 5_000)]), [])
    expect(pictures).toMatchObject({ estimated: true, untimed: true })
    expect(sound).toMatchObject({ estimated: false, untimed: false })
    const jittery = interleave([{ ...uneven, steady: true, jitter: 0.01 }, prior(20, 5_000)])
    const [near] = timeline([video, audio], { ...jittery, lag: WIDE }, [])
    expect(near).toMatchObject({ estimated: true, untimed: false })
    const [drifting] = timeline([video, audio], { ...jittery, lag: { ...WIDE, drifts: true } }, [])
    expect(drifting).toMatchObject({ estimated: true, untimed: true })
    const [unheard] = timeline([video, audio], jittery, [])
    expect(unheard).toMatchObject({ estimated: true, untimed: true })
  })

  it('keeps pictures of a steady rate even where sound of an uneven one is to time them, whose own times nobody knows then', () => {
    const close = { low: 0, high: 0.03, runLow: 0, runHigh: 0.03 }
    const told = (isEven: boolean, own: readonly number[] = [20]) => {
      const { video, audio } = setUp()
      record(video, audio, [0], 42, () => false)
      for (let row = 0; row < audio.table.length; row++)
        audio.table.duration[row] = own[row % own.length] * 1.2
      const sounds = { ...prior(20, 5_000), constantRate: isEven }
      const [pictures, sound] = timeline(
        [video, audio],
        { ...interleave([prior(1, 25_000), sounds]), lag: close },
        [],
      )
      return { shown: times(video, pictures.compositionShift), untimed: sound.untimed }
    }
    expect(told(false)).toEqual({ shown: Array.from({ length: 42 }, (_, i) => i), untimed: true })
    expect(told(true).shown).not.toEqual(told(false).shown)
    expect(told(true).untimed).toBe(false)
    // packets that say themselves how long each is
    expect(told(false, [15, 25]).untimed).toBe(false)
  })

  it('keeps pictures of a steady rate even where their distance from the sound grew all along the sample', () => {
    const steady = interleave([{ ...prior(1, 25_000), constantRate: false, jitter: 0.01 }, prior(20, 5_000)])
    const late = { low: 0.2, high: 0.5, runLow: 0.2, runHigh: 0.22 }
    const shown = (drifts: boolean): number[] => {
      const { video, audio } = setUp()
      record(video, audio, [0], 21, () => false)
      const [pictures] = timeline(
        [video, audio],
        { ...steady, lag: { ...late, ...(drifts && { drifts }) } },
        [],
      )
      return times(video, pictures.compositionShift)
    }
    const even = Array.from({ length: 21 }, (_, i) => i)
    expect(shown(true)).toEqual(even)
    expect(shown(false)).not.toEqual(even)
  })

  it('does not know the times of pictures that came at no even rate behind units that were lost', () => {
    const untimed = (constantRate: boolean, damaged: boolean): boolean => {
      const { video, audio } = setUp()
      record(video, audio, WITH_B, 42, (kind, unit) => damaged && kind === 'video' && unit === 20)
      const holes = damaged ? [hole([video, audio], 20 * 1200, 20 * 1200 + 1000)] : []
      const pictures = { ...prior(1, 25_000), constantRate }
      const learned = { ...interleave([pictures, prior(20, 5_000)]), lag: WIDE }
      return timeline([video, audio], learned, holes)[0].untimed
    }
    expect(untimed(false, true)).toBe(true)
    expect(untimed(false, false)).toBe(false)
    expect(untimed(true, true)).toBe(false)
  })

  it('knows them where nothing but sound was lost, of which the bytes leave no other number', () => {
    const untimed = (sound: number, pictures = false): boolean => {
      const { video, audio } = setUp()
      const isLost = (kind: string, unit: number): boolean =>
        kind === 'audio' ? unit === 20 : pictures && unit === 13
      record(video, audio, WITH_B, 42, isLost)
      for (let row = 20; row < audio.table.length; row++) audio.table.size[row] = sound
      const from = 10 * 1200 + 1000
      const holes = [hole([video, audio], from, from + 100)]
      if (pictures) holes.push(hole([video, audio], 13 * 1200, 13 * 1200 + 1000))
      const uneven = { ...prior(1, 25_000), constantRate: false }
      const learned = { ...interleave([uneven, prior(20, 5_000)]), lag: WIDE }
      return timeline([video, audio], learned, holes)[0].untimed
    }
    expect(untimed(100)).toBe(false)
    // two of the smaller ones have room in the hole, too
    expect(untimed(45)).toBe(true)
    expect(untimed(100, true)).toBe(true)
  })

  it('times pictures of a variable rate that no numbers order by the sound around them, or does not know when they were', () => {
    const told = (lag: { readonly low: number; readonly high: number } | undefined) => {
      const { video, audio } = setUp()
      const bare = { ...video, description: { ...video.description, codec: 'vp9' }, recogniser: undefined }
      // every third picture lasts twice as long as others
      let offset = 0
      let sound = 0
      let time = 0
      for (let picture = 0; picture < 60; picture++, offset += 1000) {
        bare.table.push(offset, 1000, 1, 1, picture, SAMPLE_KEY)
        time += picture % 3 === 2 ? 80 : 40
        for (; sound * 20 < time; sound++, offset += 100)
          audio.table.push(offset + 1000, 100, 1, 20, sound, 0)
      }
      const layout = interleave([
        { ...prior(1, 25_000), constantRate: false, steady: false },
        prior(20, 5_000),
      ])
      const heard = lag && { ...lag, runLow: lag.low, runHigh: lag.high }
      const [pictures] = timeline([bare, audio], { ...layout, lag: heard }, [])
      return { pictures, last: bare.table.dts[59] / 25 }
    }
    const { pictures, last } = told({ low: 0, high: 0.02 })
    expect(last).toBeCloseTo(60 * 0.04 + 19 * 0.04 - 0.04, 1)
    expect(pictures.untimed).toBe(false)
    expect(told(undefined).pictures.untimed).toBe(true)
  })

  it('knows the times of pictures left out here and there only where the sound leaves each one place', () => {
    const untimed = (width: number): boolean => {
      const { video, audio } = setUp()
      record(video, audio, [0], 40, (kind, unit) => kind === 'video' && unit % 3 === 1)
      const uneven = { ...prior(1, 25_000), constantRate: false, steady: false, onGrid: true }
      const lag = { low: -width / 2, high: width / 2, runLow: -width / 2, runHigh: width / 2 }
      const learned = { ...interleave([uneven, prior(20, 5_000)]), lag }
      return timeline([video, audio], learned, [])[0].untimed
    }
    expect(untimed(0.03)).toBe(false)
    expect(untimed(0.06)).toBe(true)
  })

  it('does not know them where the sample says nothing of pictures left out: sound may lack a packet as well', () => {
    const untimed = (isConstant: boolean): boolean => {
      const { video, audio } = setUp()
      record(video, audio, [0], 40, (kind, unit) => kind === 'video' && unit % 3 === 1)
      const rate = { constantRate: isConstant, steady: isConstant, onGrid: !isConstant }
      const lag = { low: -0.015, high: 0.015, runLow: -0.015, runHigh: 0.015 }
      const learned = { ...interleave([{ ...prior(1, 25_000), ...rate }, prior(20, 5_000)]), lag }
      return timeline([video, audio], learned, [])[0].untimed
    }
    expect(untimed(false)).toBe(false)
    expect(untimed(true)).toBe(true)
  })
})
