import { expect, it } from 'vitest'
import type { PcmLayout } from '../../../src/codecs/pcm/layout.ts'
import { breakInSound } from '../../../src/recording/align/sound-breaks.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'

const LAYOUT: PcmLayout = {
  ...{ channels: 1, bits: 8, endian: 'big', signed: true, float: false, law: 'ulaw', blockAlign: 1 },
}
const SIZE = 2000
const FRONT = 3000
const BYTES = 500
/** Frames next to a break that may sound like either side. */
const NEAR = 8

/** A tone as code words that rise and fall slowly, in front of it and behind it something else. */
const tone = Uint8Array.from({ length: SIZE }, (_, i) => {
  const sample = Math.round(60 * Math.sin(i / 9))
  return (sample >= 0 ? 128 | sample : -sample - 1) ^ 127
})
const whole = concat([noise(FRONT, 1), tone, noise(FRONT, 2)])

/** The break that is heard where `BYTES` are missing, or put in, at an offset of the whole. */
const without = (at: number) =>
  breakInSound(
    readerOf(concat([whole.subarray(0, at), whole.subarray(at + BYTES)])),
    ...([LAYOUT, FRONT, FRONT - BYTES, SIZE] as const),
  )
const withMore = (at: number) =>
  breakInSound(
    readerOf(concat([whole.subarray(0, at), noise(BYTES, 3), whole.subarray(at)])),
    ...([LAYOUT, FRONT, FRONT + BYTES, SIZE] as const),
  )

it('bytes that are missing in front of sound, or were put in there, leave it whole', () => {
  expect(without(FRONT - BYTES - 100)).toBe(0)
  expect(withMore(FRONT - 100)).toBe(0)
})

it('a place within sound where bytes were put in is heard', () => {
  expect(Math.abs((withMore(FRONT + 700) ?? 0) - 700)).toBeLessThan(NEAR)
})

it('a place within sound where bytes are missing is not: what is left joins', () => {
  expect(without(FRONT + 700)).toBeUndefined()
})

it('sound in front of which nothing is wrong stays where it is', () => {
  expect(withMore(FRONT + SIZE + 100)).toBe(SIZE)
})

it('bytes that sound like nothing tell nothing', () => {
  const reader = readerOf(noise(3 * SIZE, 4))
  expect(breakInSound(reader, LAYOUT, SIZE, SIZE - BYTES, SIZE)).toBeUndefined()
  expect(breakInSound(readerOf(new Uint8Array(3 * SIZE)), LAYOUT, SIZE, SIZE - BYTES, SIZE)).toBeUndefined()
})
