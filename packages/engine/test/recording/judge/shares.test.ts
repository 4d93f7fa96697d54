import { expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { explainsPayload } from '../../../src/recording/judge/explained-share.ts'
import { outlastsPictures } from '../../../src/recording/judge/outlasting-sound.ts'

it('a two hundredth of the payload may stay unexplained', () => {
  const payload = [
    { offset: 0, length: 600 },
    { offset: 900, length: 400 },
  ]
  expect([0, 5, 6].map((bytes) => explainsPayload(bytes, payload))).toEqual([true, true, false])
  expect([explainsPayload(0, []), explainsPayload(1, [])]).toEqual([true, false])
})

it('sound that nothing tells from other bytes hides pictures where it lasts half as long again and half a second more', () => {
  const track = (kind: TrackDescription['kind'], codec: string, from: number, seconds: number) => {
    const table = new SampleTable()
    const step = (seconds - 1) * 100
    for (const time of seconds > 0 ? [0, step] : []) table.dts[table.push(0, 1, 1, 100, 0, 0)] = from + time
    const description = {
      id: 1,
      kind,
      codec,
      timescale: 100,
      config: new Uint8Array(0),
      framing: 'raw',
    } as const
    return { description, table }
  }
  const pictures = [track('video', 'mjpeg', 900, 4), track('video', 'mjpeg', 0, 10)]
  const hides = (sound: ReturnType<typeof track>) => outlastsPictures([...pictures, sound])
  expect([15.5, 15.51].map((seconds) => hides(track('audio', 'pcm', 50, seconds)))).toEqual([false, true])
  expect(hides(track('audio', 'pcm', 50, 0))).toBe(false)
  // frames of a coding that tells them from others hide nothing, and other data are no sound
  expect(hides(track('audio', 'mp3', 50, 99))).toBe(false)
  expect(hides(track('data', 'tmcd', 50, 99))).toBe(false)
  expect(outlastsPictures([track('audio', 'pcm', 0, 99)])).toBe(false)
})
