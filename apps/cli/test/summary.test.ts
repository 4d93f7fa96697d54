import type { EnhancementReport, RecordingReport } from '@mendframe/runner'
import { expect, test } from 'vitest'
import { EXIT, exitCodeOf } from '../src/exit-codes.ts'
import { summarise, summariseDiagnosis } from '../src/summary.ts'

const HEALTHY: RecordingReport = {
  engine: '1',
  kind: 'recording',
  verdict: 'healthy',
  format: 'isobmff',
  damaged: { size: 10 },
  output: { size: 12 },
  findings: [],
  omittedFindings: 0,
  strategies: [],
  tracks: [],
  seconds: 1,
}

function improved(outcome: EnhancementReport['outcome'], verdict: RecordingReport['verdict']) {
  const enhancement = { operation: 'deflicker' as const, outcome, pictures: 60, ranges: [] }
  return { ...HEALTHY, verdict, enhancements: [enhancement] }
}

test('a healthy file that was changed is no copy, in words and exit code', () => {
  const changed = improved('applied', 'healthy')
  expect(summarise(changed, 'o.mp4', undefined)).toMatch(/^Nothing is wrong with the file\. o\.mp4 .*changed/)
  expect(summarise(changed, 'o.mp4', undefined)).not.toMatch(/copy/)
  expect(exitCodeOf(changed)).toBe(EXIT.repaired)
})

test('a healthy file that nothing was done to is a copy', () => {
  for (const report of [HEALTHY, improved('unneeded', 'healthy'), improved('failed', 'healthy')]) {
    expect(summarise(report, 'o.mp4', undefined)).toMatch(/o\.mp4 is a copy of it/)
    expect(exitCodeOf(report)).toBe(EXIT.healthy)
  }
})

test('an improvement changes nothing of what a repair came to', () => {
  expect(exitCodeOf(improved('applied', 'partial'))).toBe(EXIT.partial)
  expect(exitCodeOf(improved('applied', 'repaired'))).toBe(EXIT.repaired)
})

test('of a file of no known kind it is not said that a sample will do', () => {
  const unknown = {
    engine: '1',
    format: 'unknown',
    size: 10,
    findings: [],
    omittedFindings: 0,
    healthy: false,
    sample: 'required' as const,
    tracks: [],
  }
  const told = summariseDiagnosis(unknown, 'notes.mp4')
  expect(told).toMatch(/^notes\.mp4: of no kind that is known/)
  expect(told).toMatch(/If it was a recording or a photo, a repair needs a healthy sample/)
  expect(summariseDiagnosis({ ...unknown, size: 0 }, 'notes.mp4')).toMatch(/nothing in it to repair/)
  expect(summariseDiagnosis({ ...unknown, format: 'avi' }, 'a.avi')).toMatch(
    /^A repair needs a healthy sample/m,
  )
})

test('a diagnosis names formats as people do, and describes a healthy file without a but', () => {
  const healthy = {
    engine: '1',
    format: 'isobmff',
    size: 2048,
    findings: [],
    omittedFindings: 0,
    healthy: true,
    sample: 'unneeded' as const,
    tracks: [{ id: 1, kind: 'video' as const, codec: 'h264', duration: 2 }],
  }
  expect(summariseDiagnosis(healthy, 'a.mp4')).toMatchInlineSnapshot(`
    "a.mp4: MP4 or a relative of it, 2.0 KiB
    Nothing is wrong with it.

    Tracks
      track  kind   codec  duration
          1  video  h264   0:02.000
    "
  `)
  const told = summariseDiagnosis({ ...healthy, healthy: false, format: 'avi' }, 'a.avi')
  expect(told).toMatch(/^a\.avi: AVI, 2\.0 KiB\nA repair needs no sample\./)
  expect(told).toMatch(/^Tracks it still describes$/m)
})

test('a hole says why once', () => {
  const range = { start: 0, end: 1, from: 0, to: 1 }
  const track = {
    id: 1,
    kind: 'video' as const,
    codec: 'h264',
    recovered: 1,
    damaged: 1,
    lost: 1,
    duration: 3,
    times: 'exact' as const,
    ranges: [
      { ...range, state: 'damaged' as const, reason: 'damaged' },
      { ...range, state: 'lost' as const, reason: 'hole' },
    ],
  }
  const told = summarise({ ...HEALTHY, verdict: 'partial', tracks: [track] }, 'o.mp4', undefined)
  expect(told).toMatch(/^Holes\n {2}track .* state +why$/m)
  expect(told).toMatch(/damaged$/m)
  expect(told).not.toMatch(/damaged +damaged$/m)
  expect(told).toMatch(/lost +hole$/m)
})
