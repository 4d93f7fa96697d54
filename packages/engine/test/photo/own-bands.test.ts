import { describe, expect, it } from 'vitest'
import { MemorySink, MemorySource, repair } from '../../src/index.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const [WIDE, HIGH, MCU] = [38, 25, 16]
const [WIDTH, HEIGHT] = [WIDE * MCU, HIGH * MCU]
/** Levels of chrominance that a unit of quantised DC is. */
const UNIT = 1.75
const coarse = (dc: number): Uint16Array => Uint16Array.from({ length: 64 }, (_, i) => dc + i)

/**
 * A photo the background of which becomes a unit less red from an MCU on, in the order of the scan: a band such as slopes of
 * light leave where chrominance is coarse. A column of MCUs has levels of its own.
 */
function withBand(from: number, aside: number): Uint8Array {
  const random = randomFrom(3)
  const tints = Array.from({ length: WIDE * HIGH }, () => 3 * (random() - 0.5))
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const column = Math.floor(x / MCU)
      const mcu = Math.floor(y / MCU) * WIDE + column
      const red = tints[mcu] + (column === aside ? 8 : 0) - (mcu >= from ? UNIT : 0)
      const light = 110 + 25 * Math.sin(x / 3 + Math.sin(y / 5))
      const levels = [light + 1.402 * red, light - 0.714 * red, light]
      levels.forEach((level, channel) => {
        pixels[(y * WIDTH + x) * 3 + channel] = Math.round(level)
      })
    }
  const picture = { width: WIDTH, height: HEIGHT, pixels }
  const quantisation = [coarse(13), coarse(8 * UNIT)] as const
  return writePhoto(picture, { sampling: [2, 2], quality: 75, interval: 0, quantisation })
}

describe('a photo that is read to its end', () => {
  const column = 14
  const from = 23 * WIDE + column

  it.each([
    ['that no bit may have made', column + 20],
    ['that a bit some MCUs aside may have made, but is not shown to have', column + 5],
  ])('keeps a band of its own %s', async (_, aside) => {
    const bytes = withBand(from, aside)
    const report = await repair({ damaged: { source: new MemorySource(bytes) }, sink: new MemorySink() })
    expect(report).toMatchObject({ verdict: 'healthy', pictures: [{ estimated: 0, lost: 0 }] })
  })
})
