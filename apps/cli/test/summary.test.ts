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
