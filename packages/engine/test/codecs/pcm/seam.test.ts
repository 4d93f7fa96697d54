import { describe, expect, it } from 'vitest'
import type { PcmLayout } from '../../../src/codecs/pcm/layout.ts'
import { seamOf } from '../../../src/codecs/pcm/seam.ts'
import { noise } from '../../../testing/video/replay.ts'

const layout: PcmLayout = {
  ...{ channels: 1, bits: 16, endian: 'little', signed: true, float: false, law: 'linear', blockAlign: 2 },
}

/** Frames of a low tone, without those in [from, until). */
function tone(frames: number, from: number, until: number): Uint8Array {
  const kept = Array.from({ length: frames }, (_, i) => i).filter((i) => i < from || i >= until)
  const bytes = new Uint8Array(kept.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [at, i] of kept.entries())
    view.setInt16(at * 2, Math.round(9000 * Math.sin(i / 40)) + ((i * 7919) % 61), true)
  return bytes
}

describe('sound from which frames are missing', () => {
  it('breaks off where the step is larger than those on either side', () => {
    expect(seamOf(layout, tone(2000, 700, 800))).toEqual({ frame: 700, clear: true })
  })

  it('tells no place where nothing is missing, or all steps are large', () => {
    expect(seamOf(layout, tone(2000, 0, 0)).clear).toBe(false)
    expect(seamOf(layout, noise(4000, 3)).clear).toBe(false)
  })
})
