import { expect, it } from 'vitest'
import { isSizeUntold } from '../../src/recording/told-size.ts'

it('a lent size is a guess where pictures say nothing of theirs', () => {
  const sound = { kind: 'audio', codec: 'adpcm-ms' } as const
  for (const codec of ['msmpeg4v3', 'wmv2', 'hfyu'])
    expect(isSizeUntold([{ kind: 'video', codec }, sound])).toBe(true)
  for (const codec of ['mjpeg', 'h264', 'dv', 'rawvideo'])
    expect(isSizeUntold([{ kind: 'video', codec }, sound])).toBe(false)
  expect(isSizeUntold([sound])).toBe(false)
})
