import { expect, it } from 'vitest'
import { STREAM_ADVERSARIES } from '../../../testing/adversaries/stream-adversaries.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

it('more times that fit nothing than any recording has stay as they are, are told in one line, and are in doubt', async () => {
  const adversary = STREAM_ADVERSARIES.find(({ name }) => name === 'mpegps: packs at any times')
  const { damaged } = adversary?.make(200_000) ?? { damaged: new Uint8Array(0) }
  const { report, bytes, doubts } = await repairRecording(damaged, 'mpg')
  expect(report.verdict).toBe('partial')
  expect(doubts).toContain('times')
  for (const code of ['mpegps.time-stamp', 'mpegps.clock']) {
    const told = report.findings.filter((finding) => finding.code === code)
    expect(told.filter(({ message }) => message.includes('none of a recording'))).toHaveLength(1)
  }
  let changed = 0
  for (let at = 0; at < damaged.length; at++) if (bytes[at] !== damaged[at]) changed++
  expect(bytes.length).toBe(damaged.length)
  // those that a turned bit brings back
  expect(changed).toBeLessThan(damaged.length / 1000)
})
