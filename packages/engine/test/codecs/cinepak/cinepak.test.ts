import { describe, expect, it } from 'vitest'
import { cinepak } from '../../../src/codecs/cinepak/index.ts'
import type { Recogniser } from '../../../src/codecs/recogniser.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { CINEPAK_WIDTH, cinepakFrame } from '../../../testing/video/cinepak-frames.ts'
import { noise, readerOf, replay } from '../../../testing/video/replay.ts'

function recogniser(): Recogniser {
  const made = cinepak.recogniser({
    ...{ id: 1, kind: 'video', codec: 'cinepak', timescale: 25, width: CINEPAK_WIDTH },
    ...{ config: new Uint8Array(0), framing: 'raw' },
  })
  if (!made) throw new Error('no recogniser')
  return made
}

const FRAMES = [true, false, false, true, false].map((key, i) => ({ key, bytes: cinepakFrame(key, i + 1) }))

describe('Cinepak', () => {
  it('follows frames by the lengths that they tell, and knows those that stand for themselves', () => {
    const file = concat([...FRAMES.map(({ bytes }) => bytes), noise(500)])
    expect(replay(recogniser(), file).map(({ length, key }) => ({ length, key }))).toEqual(
      FRAMES.map(({ bytes, key }) => ({ length: bytes.length, key })),
    )
  })

  it('finds frames of both kinds among other bytes, and none in noise and zeros', () => {
    for (const { bytes } of FRAMES) {
      const file = readerOf(concat([noise(777), bytes, noise(300, 2)]))
      let at = recogniser().search(file, 0, file.size)
      while (at < 777) at = recogniser().search(file, at + 1, file.size)
      expect(at).toBe(777)
    }
    expect(replay(recogniser(), noise(5000))).toEqual([])
    expect(replay(recogniser(), new Uint8Array(5000))).toEqual([])
  })

  it('reads frames to their ends, and refuses those whose vectors or sizes were hit', () => {
    for (const { bytes, key } of FRAMES) {
      const reader = readerOf(bytes)
      expect(recogniser().intact?.(reader, 0, bytes.length), `key ${key}`).toBe(true)
      // the bits that say how many vectors blocks have, of the first strip
      const flags = Buffer.from(bytes).indexOf(Uint8Array.of(key ? 0x30 : 0x31, 0)) + 4
      const hit = bytes.slice().fill(0, flags, flags + 4)
      expect(recogniser().intact?.(readerOf(hit), 0, hit.length)).toBe(false)
      for (const place of [3, 10, 13, 17, 23]) {
        const other = bytes.slice()
        other[place] ^= 0x20
        expect(replay(recogniser(), other), `byte ${place}`).toEqual([])
      }
    }
  })
})
