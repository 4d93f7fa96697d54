import { describe, expect, it } from 'vitest'
import { smallRecording } from '../../../testing/recordings/catalogue.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'

describe('plain sound of which many frames are one sample', () => {
  it('keeps the frames of the last sample that the end of the file leaves', async () => {
    const plain = smallRecording('h264-pcm', 45, 1)
    // written anew, its index lies in front
    const whole = await write(wholePlan(await movieOf(plain)), plain)
    const sounds = (await movieOf(whole)).tracks[1].samples
    const row = sounds.length - 3
    expect(sounds.size[row]).toBeGreaterThan(1000)
    const { report, bytes } = await repaired(whole.subarray(0, sounds.offset[row] + 601))
    expect(report.verdict).toBe('repaired')
    const { samples } = (await movieOf(bytes)).tracks[1]
    expect(samples.length).toBe(row + 1)
    expect(samples.size[row]).toBe(600)
    expect(samples.duration[row]).toBe(300)
  })

  it('keeps the frames of the first sample that a cut-away head leaves, at their time', async () => {
    // its index lies behind
    const plain = smallRecording('h264-pcm', 45, 1)
    const sounds = (await movieOf(plain)).tracks[1].samples
    const { bytes } = await repaired(plain.subarray(sounds.offset[0] + 601))
    const { samples } = (await movieOf(bytes)).tracks[1]
    expect(samples.length).toBe(sounds.length)
    expect(samples.size[0]).toBe(sounds.size[0] - 602)
    expect(samples.duration[0]).toBe(sounds.duration[0] - 301)
    expect(samples.dts[1] - samples.dts[0]).toBe(sounds.duration[0] - 301)
  })
})
