import { expect, it } from 'vitest'
import { png } from '../../../src/formats/png/index.ts'
import { framesOf } from '../../../src/formats/png/read/frames.ts'
import { walk } from '../../../src/formats/png/read/walk.ts'
import { repeated } from '../../../testing/adversaries/bytes.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const ANIMATION = fixturesOf(png).find(({ name }) => name === 'animation')?.bytes ?? new Uint8Array(0)

it('keeps a frame of an animation of whose type a bit was turned, and of whose data, too', async () => {
  const damaged = Uint8Array.from(ANIMATION)
  const data = walk(damaged).chunks.find(({ type }) => type === 'fdAT')
  if (!data) throw new Error('there is no frame')
  const { offset, body, length } = data
  damaged[offset + 6] ^= 0x10
  damaged[body + (length >> 1)] ^= 0x04
  damaged[body + length - 9] ^= 0x20
  const { bytes: back } = await repairPhoto(damaged, 'png')
  const frames = (bytes: Uint8Array): number => framesOf(bytes, walk(bytes).chunks, undefined).length
  expect(frames(back)).toBe(frames(ANIMATION))
})

it('puts no more frames of an animation together anew than its bytes allow', async () => {
  const damaged = repeated(ANIMATION.subarray(0, 1500), 1_100_000)
  const { report, bytes } = await repairPhoto(damaged, 'png')
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toContain('frames')
  const shown = Buffer.from(bytes).toString('latin1').split('fcTL').length - 1
  expect(shown).toBeGreaterThan(500)
  expect(shown).toBeLessThan(512 + damaged.length / 8192 + 1)
})

it('takes the side of the picture for that of a frame that reaches out of it', async () => {
  const damaged = Uint8Array.from(ANIMATION)
  const control = walk(damaged).chunks.findLast(({ type }) => type === 'fcTL')
  if (!control) throw new Error('there is no frame')
  damaged[control.body + 5] ^= 0x20
  damaged[control.body + 7] ^= 0x40
  const { report, bytes: back } = await repairPhoto(damaged, 'png')
  expect(report.verdict).toBe('partial')
  const sizes = (bytes: Uint8Array): string[] =>
    framesOf(bytes, walk(bytes).chunks, undefined).map(({ width, height }) => `${width} by ${height}`)
  expect(sizes(back).slice(1)).toEqual(sizes(ANIMATION).slice(1))
})
