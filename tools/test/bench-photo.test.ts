import { drawPicture } from '@mendframe/engine/testing'
import { describe, expect, it } from 'vitest'
import { exposed, shrunk } from '../src/bench-photo/drawn-photos.ts'

const grey = (width: number, height: number, level: number) => ({
  width,
  height,
  pixels: new Uint8Array(3 * width * height).fill(level),
})

describe('a drawn photo', () => {
  it('has noise of its own in each channel, more where it is light', () => {
    const deviation = (level: number, channel: number): number => {
      const { pixels } = exposed(grey(80, 60, level), 1)
      let sum = 0
      for (let at = channel; at < pixels.length; at += 3) sum += (pixels[at] - level) ** 2
      return Math.sqrt(sum / (pixels.length / 3))
    }
    expect(deviation(200, 1)).toBeGreaterThan(1.5 * deviation(40, 1))
    expect(deviation(200, 1)).toBeLessThan(4)
    const { pixels } = exposed(grey(8, 8, 120), 1)
    expect(pixels.some((level, at) => at % 3 === 0 && level !== pixels[at + 1])).toBe(true)
  })

  it('has a thumbnail that shows it: each pixel is as bright as what it stands for', () => {
    const scene = drawPicture(64, 48, 2)
    const small = shrunk(scene, 8)
    expect([small.width, small.height]).toEqual([8, 6])
    let sum = 0
    for (let y = 16; y < 24; y++) for (let x = 40; x < 48; x++) sum += scene.pixels[(y * 64 + x) * 3 + 1]
    expect(small.pixels[(2 * 8 + 5) * 3 + 1]).toBe(Math.round(sum / 64))
  })
})
