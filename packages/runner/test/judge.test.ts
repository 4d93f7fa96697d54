import type { RecordingReport, TrackReport, Verification } from '@mendframe/engine'
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
  expect(judge(damaged, verification(15)).verdict).toBe('partial')
  const hole = { start: 1, end: 2, state: 'lost' as const }
  const holed = { ...REPORT, tracks: [{ ...TRACK, lost: 8, ranges: [hole] }] }
  expect(judge(holed, verification(2)).verdict).toBe('repaired')
  expect(judge(holed, verification(9)).verdict).toBe('partial')
  const refused = { ...holed, tracks: [{ ...TRACK, codec: 'av1', lost: 8, ranges: [hole] }] }
  expect(judge(refused, verification(90)).verdict).toBe('repaired')
})
