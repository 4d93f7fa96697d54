import { describe, expect, it } from 'vitest'
import { dnxhd } from '../../../src/codecs/dnxhd/index.ts'
import type { Recogniser } from '../../../src/codecs/recogniser.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, replay } from '../../../testing/video/replay.ts'

/** A frame with a right header, SMPTE ST 2019-1 §6.2, and noise behind it. */
function frame(compressionId: number, width: number, height: number, size: number): Uint8Array {
  const bytes = noise(size, compressionId)
  bytes.set([0, 0, 2, 0x80, 1])
  bytes.set([height >> 8, height & 255, width >> 8, width & 255], 0x18)
  bytes.set([0, 0, compressionId >> 8, compressionId & 255], 0x28)
  return bytes
}

function recogniser(width: number): Recogniser {
  const about = {
    id: 1,
    kind: 'video',
    codec: 'dnxhd',
    timescale: 25,
    config: new Uint8Array(0),
    framing: 'raw',
  } as const
  const made = dnxhd.recogniser({ ...about, width })
  if (!made) throw new Error('no recogniser')
  return made
}

describe('DNxHD', () => {
  it.each([
    [1253, 1920, 1080, 188_416],
    [1252, 1280, 720, 303_104],
    [1274, 256, 120, 8192],
    [1272, 320, 240, 32_768],
  ])('finds frames of compression id %i', (id, width, height, size) => {
    const one = frame(id, width, height, size)
    const file = concat([one, one, noise(500)])
    expect(replay(recogniser(width), file).map(({ length }) => length)).toEqual([size, size])
    expect(recogniser(width).search(readerOf(concat([noise(777), one])), 0, 777 + size)).toBe(777)
  })

  it('refuses an id that is none', () => {
    expect(replay(recogniser(1920), frame(1111, 1920, 1080, 10_000))).toEqual([])
  })
})
