import { describe, expect, it } from 'vitest'
import { RegionUnits } from '../../../../src/formats/isobmff/mend/region-units.ts'
import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
import type { SampleChecker } from '../../../../src/recording/align/sample-checker.ts'
import { readerOf } from '../support/engine.ts'

const BYTES = 10_000

/** A track whose units are ten bytes from `units` on, and how many bytes were searched for them. */
function track(description: number, units = Number.POSITIVE_INFINITY, more: Partial<SampleChecker> = {}) {
  const searched = { bytes: 0 }
  const checker = {
    ...{ bits: 20, certain: false, exact: true, measuredBits: 20 },
    search: (from: number, end: number) => {
      const found = Math.min(end, Math.max(from, units))
      searched.bytes += found - from
      return found
    },
    measure: (offset: number) => (offset >= units ? 10 : 0),
    ...more,
  } as unknown as SampleChecker
  return { checker, searched, track: { sampleDescription: Uint8Array.of(description) } as MovieTrack }
}

function regionUnits(tracks: readonly ReturnType<typeof track>[], steps: number): RegionUnits {
  return new RegionUnits(
    readerOf(new Uint8Array(BYTES)),
    tracks.map((each) => each.track),
    tracks.map(({ checker }) => checker),
    new Allowance(steps),
  )
}

describe('units outside the index', () => {
  it('are in a region where some join, of whichever track', () => {
    const found = regionUnits([track(1), track(2, 4000)], 1e6)
    expect(found.areIn({ offset: 0, length: 3000 })).toBe(false)
    expect(found.areIn({ offset: 3000, length: 3000 })).toBe(true)
    expect(regionUnits([track(1, 0, { bits: 0 })], 1e6).areIn({ offset: 0, length: 3000 })).toBe(false)
  })

  it('are no three that join by chance, as three frames of speech in a thousand bytes do', () => {
    const frames = (bytes: number): ReturnType<typeof track> =>
      track(1, 0, { measuredBits: 5, measure: (offset) => (offset + 10 <= bytes ? 10 : 0) })
    const region = { offset: 0, length: 1000 }
    expect(regionUnits([frames(35)], 1e6).areIn(region)).toBe(false)
    expect(regionUnits([frames(900)], 1e6).areIn(region)).toBe(true)
  })

  it('are looked for in no more bytes than all regions share, behind which any may hold some', () => {
    const none = track(1)
    const found = regionUnits([none], 2500)
    const regions = Array.from({ length: 10 }, (_, i) => ({ offset: i * 1000, length: 1000 }))
    expect(regions.map((region) => found.areIn(region))).toEqual(regions.map((_, i) => i >= 3))
    expect(none.searched.bytes).toBe(3000)
  })

  it('are looked for once by tracks of one description, but where only their own samples tell what units are like', () => {
    const searchedBy = (second: ReturnType<typeof track>): number => {
      regionUnits([track(1), second], 1e6).areIn({ offset: 0, length: 1000 })
      return second.searched.bytes
    }
    expect(searchedBy(track(1))).toBe(0)
    expect(searchedBy(track(2))).toBe(1000)
    expect(searchedBy(track(1, Number.POSITIVE_INFINITY, { exact: false }))).toBe(1000)
    const lost = track(1)
    expect(searchedBy({ ...lost, track: { ...lost.track, sampleDescription: new Uint8Array() } })).toBe(1000)
  })
})
