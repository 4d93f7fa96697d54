import { smallRecording } from '@mendframe/engine/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAMAGES } from '../../src/bench/damages.ts'
import { measure, type Recording, readTracks } from '../../src/sweep/measure.ts'
import { headOf, type Subject, type Trial, tryDamage } from '../../src/sweep/trial.ts'
import {
  changes,
  isChanged,
  isFalse,
  isWorse,
  line,
  lowest,
  outOfStep,
  summary,
} from '../../src/sweep/verdicts.ts'

let film: Recording
let plain: Recording
beforeAll(async () => {
  film = await readTracks(Buffer.from(smallRecording('h264-opus', 60, 1)))
  plain = await readTracks(Buffer.from(smallRecording('h264-pcm', 60, 1)))
})

/** The recording with the samples of its second track changed. */
function withSound({ bytes, tracks }: Recording, change: (pts: number, at: number) => number): Recording {
  const [pictures, sound, ...others] = tracks
  const samples = sound.samples.map((sample, at) => ({ ...sample, pts: change(sample.pts, at) }))
  return { bytes, tracks: [pictures, { ...sound, samples }, ...others] }
}

describe('measuring a result', () => {
  it('finds all of a recording in itself, and nothing of it in nothing', () => {
    for (const recording of [film, plain]) {
      const shares = measure(recording, [], recording)
      expect(shares.map(({ kind }) => kind)).toEqual(['video', 'audio'])
      for (const share of shares) expect(share).toMatchObject({ exact: 1, timely: 1, offset: 0 })
      expect(lowest(measure(recording, [], { bytes: Buffer.alloc(0), tracks: [] }))).toBe(0)
    }
  })

  it('asks for no sample that the damage touched', () => {
    const [{ samples }] = film.tracks
    const { position } = samples[3]
    const [whole] = measure(film, [], film)
    const inside = { start: position + 1, end: position + 1 }
    for (const lost of [inside, { start: position, end: position + 1 }])
      expect(measure(film, [lost], film)[0].whole).toBe(whole.whole - 1)
  })

  it('asks for no sample that the file never had', () => {
    const { position } = film.tracks[0].samples[3]
    const cut = { ...film, bytes: film.bytes.subarray(0, position + 1) }
    expect(measure(cut, [], cut)[0].whole).toBeLessThanOrEqual(3)
  })

  it('takes a sample for the same whatever zeros are stuffed behind it', () => {
    const { bytes, tracks } = film
    const at = tracks[0].samples[3]
    const zeros = Buffer.alloc(300)
    bytes.copy(zeros, 0, at.position, at.position + at.size)
    const samples = tracks[0].samples.map((sample) =>
      sample === at ? { ...at, position: bytes.length, size: at.size + 50 } : sample,
    )
    const stuffed = {
      bytes: Buffer.concat([bytes, zeros.subarray(0, at.size), Buffer.alloc(50)]),
      tracks: [{ ...tracks[0], samples }, tracks[1]],
    }
    expect(at.size).toBeLessThan(zeros.length)
    expect(measure(film, [], stuffed)[0].exact).toBe(1)
  })

  it('counts what is there at another time, and by how much a track is late', () => {
    for (const recording of [film, plain]) {
      const [, late] = measure(
        recording,
        [],
        withSound(recording, (pts) => pts + 0.5),
      )
      expect(late).toMatchObject({ exact: 1, timely: 1 })
      expect(late.offset).toBeCloseTo(0.5)
      const shares = measure(
        recording,
        [],
        withSound(recording, (pts) => pts + 0.5),
      )
      expect(outOfStep(shares)).toBeCloseTo(0.5)
      const half = recording.tracks[1].samples.length / 2
      const [, torn] = measure(
        recording,
        [],
        withSound(recording, (pts, at) => (at < half ? pts : pts + 0.5)),
      )
      expect(torn.exact).toBe(1)
      expect(torn.timely).toBeCloseTo(0.5, 1)
    }
  })

  it('holds sound that repeats all the way against the pictures, whose samples tell how late a result is', () => {
    const { bytes, tracks } = film
    const [pictures, sound] = tracks
    const repeated = sound.samples.map((sample, at) => {
      const { position, size } = sound.samples[at % 2]
      return { ...sample, position, size }
    })
    const silent = { bytes, tracks: [pictures, { ...sound, samples: repeated }] }
    const headless = (samples: typeof repeated): typeof repeated =>
      samples.filter(({ pts }) => pts >= 0.4).map((sample) => ({ ...sample, pts: sample.pts - 0.4 }))
    const result = {
      bytes,
      tracks: [
        { ...pictures, samples: headless([...pictures.samples]) },
        { ...sound, samples: headless(repeated) },
      ],
    }
    expect(outOfStep(measure(silent, [], result))).toBeCloseTo(0)
  })
})

describe('a trial', () => {
  async function trial(damage: string, seed: number): Promise<Trial> {
    const subject: Subject = {
      name: 'film.mp4',
      original: film,
      sample: await headOf(film.bytes, 'film.mp4'),
    }
    return (await tryDamage(subject, damage, DAMAGES[damage], seed)).trial
  }

  it('repairs a damaged copy with the first part of the file as its sample', async () => {
    const { verdict, before, after } = await trial('index-zero', 1)
    expect(verdict).toBe('repaired')
    expect(lowest(before)).toBe(0)
    // packets of Opus carry no length: one may end elsewhere
    expect(lowest(after)).toBeGreaterThan(0.97)
  })

  it('leaves what is healthy as it is', async () => {
    const healthy = await trial('healthy', 1)
    expect(healthy.verdict).toBe('healthy')
    expect(isFalse(healthy) || isWorse(healthy) || isChanged(healthy)).toBe(false)
  })
})

describe('judging trials', () => {
  const share = { kind: 'video', codec: 'h264', whole: 100, exact: 1, timely: 1, offset: 0 } as const
  const good: Trial = {
    ...{ file: 'a.mp4', damage: 'blocks', seed: 1, verdict: 'repaired', words: [], seconds: 1 },
    ...{ before: [], after: [share, { ...share, kind: 'audio' }] },
  }

  it('tells a promise that is broken: pictures, times or sound that are not there, or sound out of step', () => {
    expect(isFalse(good)).toBe(false)
    const broken = [{ exact: 0.96 }, { timely: 0.96 }, { offset: 0.13 }]
    for (const part of broken) {
      const trial = { ...good, after: [share, { ...share, ...part }] }
      expect(isFalse(trial), JSON.stringify(part)).toBe(true)
      expect(isFalse({ ...trial, verdict: 'healthy' })).toBe(true)
      expect(isFalse({ ...trial, verdict: 'partial' })).toBe(false)
    }
    expect(isFalse({ ...good, after: [{ ...share, whole: 5, exact: 0.8 }] })).toBe(false)
  })

  it('tells a result that holds less than what came', () => {
    expect(isWorse({ ...good, before: [share] })).toBe(false)
    expect(isWorse({ ...good, before: [share], after: [{ ...share, timely: 0.9 }] })).toBe(true)
    expect(isWorse({ ...good, before: [share], after: [] })).toBe(true)
    expect(isWorse({ ...good, verdict: 'failed', after: [] })).toBe(true)
  })

  it('sums trials up in a line and says what became of those of an earlier run', () => {
    const worse: Trial = { ...good, verdict: 'partial', words: ['times'], after: [{ ...share, timely: 0.5 }] }
    expect(summary([good, worse])).toContain('from 99% on 1, of them called repaired 1')
    expect(changes([good], [good])).toEqual([])
    expect(changes([good], [worse])).toEqual([`was ${line(good)}`, `is  ${line(worse)}`])
    expect(changes([], [worse])).toEqual([])
    expect(line(worse)).toBe('a.mp4 blocks 1  partial times  h264 100: 100.0/50.0  1.0 s')
  })
})
