import { describe, expect, it } from 'vitest'
import { SMALL_RECORDINGS, smallRecording } from '../../../testing/recordings/catalogue.ts'
import { diagnosed, repaired } from './support/engine.ts'

describe.each(Object.keys(SMALL_RECORDINGS))('the made-up recording %s', (name) => {
  it('is healthy', async () => {
    const { healthy, findings } = await diagnosed(smallRecording(name, 32, 1))
    expect(findings).toEqual([])
    expect(healthy).toBe(true)
  })

  it('comes back by its sample when its index is lost', async () => {
    const whole = smallRecording(name, 45, 1)
    const { report } = await repaired(whole.subarray(0, whole.length * 0.6), smallRecording(name, 30, 2))
    expect(['repaired', 'partial']).toContain(report.verdict)
    for (const track of report.tracks) expect(track.recovered, track.codec).toBeGreaterThan(2)
  })
})
