import type { PhotoReport, RecordingReport, TrackReport, Verification } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { judge } from '../src/judge.ts'

const TRACK: TrackReport = {
  id: 1,
  kind: 'video',
  codec: 'h264',
  recovered: 100,
  damaged: 0,
  lost: 0,
  duration: 4,
  times: 'exact',
  ranges: [],
}
const INDEX_LOST = { code: 'isobmff.moov-missing', severity: 'error', message: 'no movie box' } as const
const REPORT: RecordingReport = {
  engine: '1',
  kind: 'recording',
  verdict: 'repaired',
  format: 'isobmff',
  damaged: { size: 10 },
  output: { size: 12 },
  findings: [],
  omittedFindings: 0,
  strategies: [],
  tracks: [TRACK],
  seconds: 1,
}
/** The same of a recording of which something was hit. */
const HIT: RecordingReport = { ...REPORT, findings: [INDEX_LOST] }

function verification(errors: number, decodable = true): Verification {
  return {
    decodable,
    duration: 4,
    tracks: [{ kind: 'video', codec: 'h264', packets: 100, frames: 100, errors }],
  }
}

test('a result that decodes without errors keeps its verdict and gains the figures', () => {
  expect(judge(REPORT, verification(0))).toEqual({ ...REPORT, verification: verification(0) })
})

test('a result that does not decode is not repaired, whatever the engine thought, and has no output', () => {
  for (const verdict of ['repaired', 'partial', 'healthy'] as const) {
    const judged = judge({ ...REPORT, verdict }, verification(0, false))
    expect(judged.verdict).toBe('unrepairable')
    expect(judged.reason).toMatch(verdict === 'healthy' ? /can be decoded/ : /plays/)
    expect(judged).not.toHaveProperty('output')
  }
})

test('sound that plays is kept though no picture beside it decodes, and the result says so', () => {
  const film = (frames: number, errors: number): Verification => ({
    decodable: false,
    duration: 4,
    tracks: [
      { kind: 'video', codec: 'h264', packets: 100, frames: 0, errors: 100 },
      { kind: 'audio', codec: 'aac', packets: 100, frames, errors },
    ],
  })
  for (const verdict of ['repaired', 'partial', 'healthy'] as const) {
    const judged = judge({ ...REPORT, verdict }, film(100, 0))
    expect(judged.verdict).toBe('partial')
    expect(judged.output).toEqual(REPORT.output)
    expect(judged.doubts?.map(({ code }) => code)).toEqual(['decode-errors'])
    const [finding] = judged.findings
    expect(finding?.message).toBe('nothing in the video track (h264) can be decoded')
  }
  expect(judge(REPORT, film(50, 50)).verdict).toBe('partial')
  expect(judge(REPORT, film(49, 51)).verdict).toBe('unrepairable')
  expect(judge(REPORT, film(0, 0)).verdict).toBe('unrepairable')
})

test('errors that no damage accounts for make a repair, or a file that looked healthy, partial and are named', () => {
  for (const verdict of ['repaired', 'healthy'] as const) {
    const judged = judge({ ...REPORT, verdict }, verification(3))
    expect(judged.verdict).toBe('partial')
    expect(judged.findings.map((finding) => finding.code)).toEqual(['verify.decode-errors'])
    expect(judged.doubts?.map(({ code }) => code)).toEqual(['decode-errors'])
  }
})

test('errors where the report owns up to damage leave the verdict alone', () => {
  const damaged = { ...REPORT, tracks: [{ ...TRACK, damaged: 2 }] }
  expect(judge(damaged, verification(3)).verdict).toBe('repaired')
})

test('a healthy file that no decoder here can tell of stays healthy, and says so', () => {
  const healthy: RecordingReport = { ...REPORT, verdict: 'healthy' }
  const dead: Verification = { unchecked: 'its decoder broke off', decodable: false, duration: 0, tracks: [] }
  const closed: Verification = { decodable: false, duration: 0, tracks: [] }
  for (const untold of [dead, closed]) {
    const judged = judge(healthy, untold)
    expect(judged.verdict).toBe('healthy')
    expect(judged.output).toEqual(REPORT.output)
    expect(judged.findings.map(({ code }) => code)).toEqual(['verify.not-checked'])
  }
})

test('a repair that no decoder here can tell of is in doubt, and one that does not open is none', () => {
  const dead: Verification = { unchecked: 'its decoder broke off', decodable: false, duration: 0, tracks: [] }
  expect(judge(REPORT, dead)).toMatchObject({ verdict: 'partial', doubts: [{ code: 'unchecked' }] })
  expect(judge(REPORT, { decodable: false, duration: 0, tracks: [] }).verdict).toBe('unrepairable')
  const empty = { ...verification(0, false), unchecked: 'nothing in it can be decoded here' }
  expect(judge(REPORT, { ...empty, tracks: [{ ...empty.tracks[0], packets: 0 }] }).verdict).toBe(
    'unrepairable',
  )
})

test('damage of one kind does not account for decoding errors of the other', () => {
  const sound: TrackReport = { ...TRACK, id: 2, kind: 'audio', codec: 'aac', damaged: 4 }
  const judged = judge({ ...REPORT, tracks: [TRACK, sound] }, verification(3))
  expect(judged.verdict).toBe('partial')
})

test('more errors than the damage told of accounts for are doubted', () => {
  const damaged = { ...REPORT, tracks: [{ ...TRACK, damaged: 2 }] }
  expect([4, 5].map((errors) => judge(damaged, verification(errors)).verdict)).toEqual([
    'repaired',
    'partial',
  ])
  const hole = { start: 1, end: 2, state: 'lost' as const }
  const holed = { ...REPORT, tracks: [{ ...TRACK, lost: 8, ranges: [hole] }] }
  expect(judge(holed, verification(2)).verdict).toBe('repaired')
  expect(judge(holed, verification(3)).verdict).toBe('partial')
  const refused = { ...holed, tracks: [{ ...TRACK, codec: 'av1', lost: 8, ranges: [hole] }] }
  expect(judge(refused, verification(90)).verdict).toBe('repaired')
})

test('errors in pictures that bring along all that they are decoded by are damage to their bytes', () => {
  const film = (codec: string, errors: number): Verification => ({
    decodable: true,
    duration: 4,
    tracks: [{ kind: 'video', codec, packets: 100, frames: 100, errors }],
  })
  expect(['mjpeg', 'prores', 'h264'].map((codec) => judge(REPORT, film(codec, 50)).verdict)).toEqual([
    'repaired',
    'repaired',
    'partial',
  ])
  expect(judge(REPORT, film('mjpeg', 51)).verdict).toBe('partial')
  expect(judge({ ...REPORT, verdict: 'healthy' }, film('mjpeg', 1)).verdict).toBe('partial')
})

const FAULTS = [
  { start: 1, end: 1.04, units: 1 },
  { start: 2, end: 2.08, units: 2, likely: true },
] as const

function faulty(errors: number): Verification {
  const [track] = verification(errors).tracks
  if (!track) throw new Error('no track')
  return { ...verification(errors), tracks: [{ ...track, duration: 4, faults: FAULTS }] }
}

test('what decoding finds in a file of whole structure is placed in its tracks', () => {
  const judged = judge({ ...REPORT, verdict: 'healthy', tracks: [] }, faulty(1))
  expect(judged.verdict).toBe('partial')
  expect(judged.kind === 'recording' && judged.tracks).toEqual([
    {
      ...TRACK,
      recovered: 97,
      damaged: 3,
      ranges: [
        { start: 1, end: 1.04, state: 'damaged', reason: 'does not decode as it should' },
        { start: 2, end: 2.08, state: 'damaged', reason: 'likely damaged inside' },
      ],
    },
  ])
  expect(judged.verification?.tracks[0]).not.toHaveProperty('faults')
})

test('likely faults that touch are one stretch, certain ones stay, and no more units are damaged than there are', () => {
  const [track] = verification(1).tracks
  const fault = (start: number, end: number, units: number, likely?: true) => ({ start, end, units, likely })
  const faults = [
    ...[fault(1, 1.04, 1, true), fault(1.041, 1.08, 2, true), fault(1.05, 1.06, 1, true)],
    ...[fault(1.0815, 1.2, 1, true), fault(1.21, 1.22, 1), fault(1.22, 1.3, 1), fault(1.3, 1.4, 1, true)],
    ...[fault(1.403, 1.5, 900, true)],
  ]
  const figures = { ...verification(1), tracks: [{ ...track, duration: 4, faults }] } as Verification
  const judged = judge({ ...REPORT, verdict: 'healthy', tracks: [] }, figures)
  const [told] = judged.kind === 'recording' ? judged.tracks : []
  expect(told?.ranges.map(({ start, end, reason }) => [start, end, reason?.startsWith('likely')])).toEqual([
    ...[
      [1, 1.2, true],
      [1.21, 1.22, false],
      [1.22, 1.3, false],
      [1.3, 1.4, true],
      [1.403, 1.5, true],
    ],
  ])
  expect(told).toMatchObject({ recovered: 0, damaged: 100 })
})

test('plain sound is counted in samples, and the second track of a kind has its own faults', () => {
  const sound = {
    kind: 'audio',
    codec: 'pcm_s16le',
    packets: 9,
    frames: 9,
    errors: 0,
    duration: 2.5,
  } as const
  const faults = [{ start: 1, end: 1.5, units: 4, likely: true }] as const
  const tracks = [
    { ...sound, sampleRate: 8000 },
    { ...sound, codec: 'aac', faults },
    { ...sound, sampleRate: 0 },
  ]
  const judged = judge({ ...REPORT, verdict: 'healthy', tracks: [] }, { ...verification(0), tracks })
  expect(judged.kind === 'recording' && judged.tracks).toMatchObject([
    { id: 1, kind: 'audio', recovered: 20_000, damaged: 0, duration: 2.5 },
    { id: 2, recovered: 5, damaged: 4, lost: 0 },
    { id: 3, recovered: 0, damaged: 0 },
  ])
})

test('a healthy file tells its tracks, too', () => {
  const [track] = verification(0).tracks
  const figures = { ...verification(0), tracks: [{ ...track, duration: 4 }] } as Verification
  const judged = judge({ ...REPORT, verdict: 'healthy', tracks: [] }, figures)
  expect(judged.verdict).toBe('healthy')
  expect(judged.kind === 'recording' && judged.tracks).toEqual([TRACK])
})

test('what was known to be damaged or lost is not counted again, and what decoding adds takes its place among the recovered', () => {
  const ranges = [
    { start: 0, end: 1, state: 'recovered' as const, offset: 5, length: 9 },
    { start: 1, end: 1.5, state: 'lost' as const },
    { start: 1.5, end: 4, state: 'recovered' as const },
  ]
  const judged = judge({ ...REPORT, verdict: 'partial', tracks: [{ ...TRACK, lost: 12, ranges }] }, faulty(1))
  expect(judged.verdict).toBe('partial')
  expect(judged.kind === 'recording' && judged.tracks[0]).toMatchObject({
    recovered: 98,
    damaged: 2,
    lost: 12,
  })
  expect(judged.kind === 'recording' && judged.tracks[0]?.ranges).toEqual([
    ranges[0],
    ranges[1],
    { ...ranges[2], end: 2 },
    { start: 2, end: 2.08, state: 'damaged', reason: 'likely damaged inside' },
    { ...ranges[2], start: 2.08 },
  ])
})

test('pictures that were likely hit inside are a doubt, though nothing complains', () => {
  for (const verdict of ['healthy', 'repaired'] as const) {
    const judged = judge({ ...REPORT, verdict }, faulty(0))
    expect(judged.verdict).toBe('partial')
    expect(judged.doubts?.map(({ code }) => code)).toEqual(['torn-pictures'])
    expect(judged.findings.map(({ code }) => code)).toEqual(['verify.torn-pictures'])
  }
  const ranges = [{ start: 1.9, end: 2.2, state: 'damaged' as const }]
  const known: RecordingReport = { ...REPORT, tracks: [{ ...TRACK, recovered: 95, damaged: 5, ranges }] }
  expect(judge(known, faulty(0)).verdict).toBe('repaired')
})

test('pictures of which nothing but bits inside was hit are told, and no doubt of a repair', () => {
  const [track] = verification(3).tracks
  const faults = [
    { start: 1, end: 1.04, units: 1, inside: 1 },
    { start: 2, end: 2.04, units: 1, likely: true as const, decoded: 2, inside: 1 },
  ]
  const judged = (verdict: 'repaired' | 'healthy', errors: number, more: readonly object[] = []) =>
    judge({ ...REPORT, verdict }, {
      ...verification(errors),
      tracks: [{ ...track, errors, duration: 4, faults: [...faults, ...more] }],
    } as Verification)
  const told = judged('repaired', 3)
  expect(told.verdict).toBe('repaired')
  expect(told.kind === 'recording' && told.tracks[0]).toMatchObject({ recovered: 98, damaged: 2 })
  // what was not repaired has damage that somebody should hear of
  expect(judged('healthy', 3).verdict).toBe('partial')
  // more errors than two pictures make, and a picture that was put together of wrong parts
  expect(judged('repaired', 5).doubts?.map(({ code }) => code)).toEqual(['decode-errors'])
  const broken = { start: 3, end: 3.04, units: 1, likely: true, decoded: 3 }
  expect(judged('repaired', 3, [broken]).doubts?.map(({ code }) => code)).toEqual(['torn-pictures'])
})

test('pictures hit inside explain errors only as long as they are few', () => {
  const [track] = verification(0).tracks
  const packets = track?.packets ?? 0
  const hit = (share: number): string => {
    const count = Math.floor(packets * share)
    const faults = Array.from({ length: count }, (_, i) => ({ start: i, end: i + 0.04, units: 1, inside: 1 }))
    const tracks = [{ ...track, errors: count, duration: packets, faults }]
    return judge(REPORT, { ...verification(count), tracks } as Verification).verdict
  }
  expect(hit(0.1)).toBe('repaired')
  expect(hit(0.2)).toBe('partial')
})

test('errors in tracks that lie where the recording says itself are damage to them, not to the repair', () => {
  const placed: RecordingReport = { ...REPORT, tracks: [{ ...TRACK, placed: true }] }
  const [few] = verification(20).tracks
  const most = (few?.packets ?? 0) / 2
  expect(judge(placed, verification(most)).verdict).toBe('repaired')
  expect(judge(placed, verification(most + 1)).verdict).toBe('partial')
  expect(judge(REPORT, verification(most)).verdict).toBe('partial')
  expect(judge({ ...placed, verdict: 'healthy' }, verification(most)).verdict).toBe('partial')
  expect(judge(placed, faulty(3)).verdict).toBe('repaired')
})

test('pictures that are shown later than they are decoded are known where their decoding was', () => {
  const [track] = verification(0).tracks
  const ranges = [{ start: 1.9, end: 1.94, state: 'damaged' as const }]
  const known: RecordingReport = { ...REPORT, tracks: [{ ...TRACK, recovered: 98, damaged: 1, ranges }] }
  const torn = (decoded: number, start: number) => ({
    start,
    end: start + 0.04,
    units: 1,
    likely: true,
    decoded,
  })
  const judged = (faults: readonly object[]) =>
    judge(known, { ...verification(0), tracks: [{ ...track, faults }] } as Verification)
  expect(judged([torn(1.9, 2.02)]).verdict).toBe('repaired')
  const unknown = judged([torn(1.9, 2.02), torn(1.94, 1.9), torn(1.98, 1.94)])
  expect(unknown.verdict).toBe('partial')
  expect(unknown.kind === 'recording' && unknown.tracks[0]).toMatchObject({ damaged: 3 })
  expect(unknown.findings.map(({ message }) => message)).toEqual([
    'pictures in 1 places were likely hit inside: their bits end where no picture ends',
  ])
})

test('a track that decodes otherwise than it declares is told with what it decodes to', () => {
  const [track] = verification(0).tracks
  const told = (look: object) =>
    judge(HIT, { ...verification(0), tracks: [{ ...track, declared: 'X', ...look }] } as Verification)
      .findings.find(({ code }) => code === 'verify.other-look')
      ?.message.split('decodes to ')[1]
  expect(told({ width: 720, height: 480, pixelFormat: 'yuv420p' })).toBe('720x480, yuv420p')
  expect(told({ width: undefined, sampleRate: 44_100, channels: 1 })).toBe('44100 Hz, 1 channels')
})

test('a repair that decodes to another size than its track declares is in doubt, a camera file is not', () => {
  const [track] = verification(0).tracks
  const other = { ...verification(0), tracks: [{ ...track, width: 720, height: 480, declared: '720x576' }] }
  const judged = judge(HIT, other as Verification)
  expect(judged.verdict).toBe('partial')
  expect(judged.doubts?.map(({ code }) => code)).toEqual(['other-look'])
  expect(judge({ ...REPORT, verdict: 'healthy' }, other as Verification).verdict).toBe('healthy')
})

test('a recording that only lacked its Cues may declare what it likes, as a camera file may', () => {
  const [track] = verification(0).tracks
  const other = { ...verification(0), tracks: [{ ...track, width: 720, height: 480, declared: '480x720' }] }
  const lacking = {
    code: 'matroska.cues-missing',
    severity: 'warning',
    message: 'there are no Cues',
  } as const
  expect(judge({ ...REPORT, findings: [lacking] }, other as Verification).verdict).toBe('repaired')
})

test('a repaired photo that a decoder complains of is in doubt, unless parts of it are lost or estimated', () => {
  const verdictOf = (picture: object, errors: number, verdict = 'repaired'): string => {
    const { tracks: _, ...rest } = REPORT
    const pictures = [{ codec: 'jpeg', width: 1, height: 1, recovered: 9, estimated: 0, lost: 0, ...picture }]
    const photo = { ...rest, kind: 'photo', verdict, pictures } as unknown as PhotoReport
    return judge(photo, verification(errors)).verdict
  }
  expect(verdictOf({}, 1)).toBe('partial')
  expect(verdictOf({}, 0)).toBe('repaired')
  expect(verdictOf({ estimated: 1 }, 1)).toBe('repaired')
  expect(verdictOf({ lost: 1 }, 1)).toBe('repaired')
  expect(verdictOf({}, 1, 'healthy')).toBe('healthy')
})
