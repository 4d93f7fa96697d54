import { describe, expect, it } from 'vitest'
import { damageInWords } from '../../src/features/repair/result/finding-words.ts'
import {
  headlineOf,
  nameOfTrack,
  reasonInWords,
  stretchInWords,
  type TrackReport,
  trackInWords,
} from '../../src/shared/recovery/report-words.ts'
import { faultAt, MAX_PARTS, partsOf, type StripPart } from '../../src/shared/recovery/strip-model.ts'

function track(change: Partial<TrackReport>): TrackReport {
  return {
    id: 1,
    kind: 'video',
    codec: 'avc1',
    recovered: 820,
    damaged: 0,
    lost: 0,
    duration: 32.8,
    times: 'exact',
    ranges: [],
    ...change,
  }
}

const secondsLost = (parts: readonly StripPart[]): number =>
  parts.filter(({ state }) => state === 'lost').reduce((sum, part) => sum + part.end - part.start, 0)

describe('the report in plain words', () => {
  it('says plainly when all is back', () => {
    expect(trackInWords(track({}))).toEqual(['All 820 frames are back.'])
    expect(trackInWords(track({ recovered: 1 }))).toEqual(['Its one frame is back.'])
    expect(trackInWords(track({ kind: 'audio' }))).toEqual(['All of the sound is back.'])
  })

  it('claims no more than was found where a doubt says that there may have been more', () => {
    for (const code of ['index-cut', 'index-hit', 'index-lossy', 'unexplained', 'none-whole']) {
      const words = (change: Partial<TrackReport>) => trackInWords(track(change), [{ code, message: '' }])[0]
      expect(words({})).toBe('All 820 frames that were found are back.')
      expect(words({ recovered: 1 })).toBe('The one frame that was found is back.')
      expect(words({ kind: 'audio' })).toBe('All that was found of the sound is back.')
      expect(words({ recovered: 812, lost: 8 })).toBe('We found 812 of at least 820 frames.')
      expect(words({ recovered: 812, lost: 8, times: 'estimated' })).toBe('We found 812 of about 820 frames.')
    }
    const elsewhere = [{ code: 'beside', message: '' }]
    expect(trackInWords(track({}), elsewhere)).toEqual(['All 820 frames are back.'])
  })

  it('says what is gone, where, and that it stays gone', () => {
    const hole = { start: 31, end: 32.2, state: 'lost' }
    expect(trackInWords(track({ recovered: 812, lost: 8, ranges: [hole] }))).toEqual([
      'We found 812 of 820 frames.',
      '8 frames between 0:31 and 0:32 are gone and cannot be brought back.',
    ])
    expect(trackInWords(track({ recovered: 819, lost: 1, ranges: [{ ...hole, end: 31.04 }] }))[1]).toBe(
      '1 frame at 0:31 is gone and cannot be brought back.',
    )
  })

  it('measures sound in time', () => {
    const lines = trackInWords(
      track({ kind: 'audio', recovered: 900, lost: 40, ranges: [{ start: 31, end: 31.8, state: 'lost' }] }),
    )
    expect(lines).toEqual(['0.8 s of sound at 0:31 is gone and cannot be brought back.'])
  })

  it('tells damaged frames apart from lost ones', () => {
    const lines = trackInWords(
      track({ recovered: 816, damaged: 4, ranges: [{ start: 12, end: 12.3, state: 'damaged' }] }),
    )
    expect(lines).toEqual(['We found 820 of 820 frames.', '4 frames at 0:12 show damage.'])
  })

  it('says when figures are estimates', () => {
    const lines = trackInWords(track({ recovered: 800, lost: 20, times: 'estimated' }))
    expect(lines).toEqual([
      'We found 800 of about 820 frames.',
      'About 20 frames are gone and cannot be brought back.',
      'Times in this track are estimated.',
    ])
  })

  it('sums up when there are many places', () => {
    const ranges = Array.from({ length: 7 }, (_, index) => ({
      start: index * 4,
      end: index * 4 + 0.1,
      state: 'lost',
    }))
    expect(trackInWords(track({ recovered: 800, lost: 20, ranges }))[1]).toContain(
      'at 0:00, at 0:04, at 0:08, at 0:12 and in 3 more places',
    )
  })

  it('numbers tracks only where several are alike', () => {
    const video = track({})
    const sounds = [track({ id: 2, kind: 'audio' }), track({ id: 3, kind: 'audio' })]
    const names = [video, ...sounds].map((one) => nameOfTrack(one, [video, ...sounds]))
    expect(names).toEqual(['Picture', 'Sound 1', 'Sound 2'])
  })

  it('never calls a partial repair complete', () => {
    expect(headlineOf('partial')).not.toBe(headlineOf('repaired'))
  })

  it('speaks of gaps only where something is known to be missing', () => {
    const line = (...tracks: TrackReport[]) => headlineOf('partial', { findings: [], tracks })
    expect(line(track({}), track({ kind: 'audio' }))).toBe(
      'Your video plays again. Not everything about it is certain.',
    )
    expect(line(track({}), track({ kind: 'audio', lost: 1 }))).toMatch(/with gaps/)
    expect(line(track({ damaged: 1 }))).toMatch(/with gaps/)
  })

  it('names a second once in which there are several holes', () => {
    const ranges = [0.1, 0.4, 3].map((start) => ({ start, end: start + 0.1, state: 'lost' }))
    expect(trackInWords(track({ lost: 3, ranges }))[1]).toBe(
      '3 frames at 0:00 and at 0:03 are gone and cannot be brought back.',
    )
  })

  it('never says that a video plays of which no picture or no sound does', () => {
    const findings = [{ code: 'verify.nothing-decodes', severity: 'error', message: '' }]
    const played = (pictures: number, sound: number) => ({
      decodable: true,
      duration: 1,
      tracks: [
        { kind: 'video', codec: 'h264', packets: 9, frames: pictures, errors: 0 },
        { kind: 'audio', codec: 'aac', packets: 9, frames: sound, errors: 0 },
      ],
    })
    const tracks = [track({ lost: 1 })]
    const line = (pictures: number, sound: number, found = findings): string =>
      headlineOf('partial', { findings: found, verification: played(pictures, sound), tracks })
    expect(line(0, 9)).toMatch(/no picture of it plays/)
    expect(line(9, 0)).toMatch(/not all of its sound plays/)
    expect(line(9, 9, [])).toBe(headlineOf('partial'))
    expect(headlineOf('repaired', { findings, verification: played(0, 9), tracks })).toBe(
      headlineOf('repaired'),
    )
  })

  it('names each kind of damage once, the serious first, and leaves unknown codes to the engineers', () => {
    const finding = (code: string, severity: string) => ({ code, severity, message: '' })
    expect(
      damageInWords([
        finding('isobmff.trailing-data', 'warning'),
        finding('isobmff.moov-missing', 'error'),
        finding('avi.moov-missing', 'error'),
        finding('isobmff.never-heard-of', 'error'),
        finding('isobmff.zero-run', 'info'),
      ]),
    ).toEqual([
      'The index that says where each frame lies was never written.',
      'Bytes that do not belong to the recording lay after its end.',
    ])
  })
})

describe('a defect without words', () => {
  it('is still said to be one', () => {
    const finding = { code: 'newer.never-heard-of', severity: 'error', message: '' }
    expect(damageInWords([finding])).toEqual(['The structure of the file was damaged.'])
    expect(damageInWords([{ ...finding, severity: 'info' }])).toEqual([])
  })
})

describe('the recovery strip', () => {
  it('fills what the report does not speak of with recovered stretches', () => {
    const parts = partsOf({ duration: 10, ranges: [{ start: 4, end: 5, state: 'lost', reason: 'zeros' }] })
    expect(parts.map(({ state, start, end }) => [state, start, end])).toEqual([
      ['recovered', 0, 4],
      ['lost', 4, 5],
      ['recovered', 5, 10],
    ])
    expect(secondsLost(parts)).toBe(1)
  })

  it('has no overlaps when ranges overlap or come out of order', () => {
    const parts = partsOf({
      duration: 6,
      ranges: [
        { start: 3, end: 5, state: 'lost' },
        { start: 0, end: 4, state: 'damaged' },
      ],
    })
    expect(parts.map(({ start, end }) => [start, end])).toEqual([
      [0, 4],
      [4, 5],
      [5, 6],
    ])
  })

  it('draws a loss over a recovered stretch that reaches into it', () => {
    const parts = partsOf({
      duration: 1.96,
      ranges: [
        { start: 0, end: 1.28, state: 'recovered' },
        { start: 0.68, end: 1.32, state: 'lost' },
        { start: 1.32, end: 1.96, state: 'recovered' },
      ],
    })
    expect(parts.map(({ state, start, end }) => [state, start, end])).toEqual([
      ['recovered', 0, 0.68],
      ['lost', 0.68, 1.32],
      ['recovered', 1.32, 1.96],
    ])
  })

  it('finds the fault that is pointed at, or the nearest within reach', () => {
    const one = { state: 'lost', start: 1, end: 2, reason: undefined } as const
    const two = { state: 'damaged', start: 2.5, end: 2.6, reason: undefined } as const
    expect(faultAt([one, two], 1.5, 0.2)).toBe(one)
    expect(faultAt([one, two], 2.1, 0.2)).toBe(one)
    expect(faultAt([one, two], 2.4, 0.2)).toBe(two)
    expect(faultAt([one, two], 0.5, 0.2)).toBeUndefined()
    expect(faultAt([], 1, 9)).toBeUndefined()
  })

  it('keeps a lost place that has no length', () => {
    const parts = partsOf({ duration: 2, ranges: [{ start: 1, end: 1, state: 'lost' }] })
    expect(parts.map(({ state }) => state)).toEqual(['recovered', 'lost', 'recovered'])
  })

  it('joins stretches when there are too many to point at, and loses none of the damage', () => {
    const ranges = Array.from({ length: 2000 }, (_, index) => ({
      start: index,
      end: index + 0.5,
      state: 'lost',
    }))
    const parts = partsOf({ duration: 2000, ranges })
    expect(parts.length).toBeLessThanOrEqual(MAX_PARTS)
    expect(parts[0]?.start).toBe(0)
    expect(parts.at(-1)?.end).toBe(2000)
    expect(secondsLost(parts)).toBeGreaterThanOrEqual(1000)
  })
})

describe('a stretch that is not as it was', () => {
  it('is told with its place to a tenth of a second, and why where that says more', () => {
    const stretch = { start: 31.02, end: 31.8, state: 'lost', reason: 'hole' } as const
    expect(stretchInWords(stretch, 'Picture')).toBe('Picture, 0:31.0 to 0:31.8: lost, its bytes are gone')
    expect(stretchInWords({ ...stretch, state: 'damaged', reason: 'damaged' }, 'Sound')).toBe(
      'Sound, 0:31.0 to 0:31.8: damaged',
    )
    expect(stretchInWords({ ...stretch, end: 31.05, reason: undefined }, 'Picture')).toBe(
      'Picture, at 0:31.0: lost',
    )
  })

  it('has the reason of a newer engine as it stands', () => {
    expect(reasonInWords('does not decode as it should')).toBe('does not decode as it should')
    expect(reasonInWords(undefined)).toBe('')
  })
})
