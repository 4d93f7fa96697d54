import { describe, expect, it } from 'vitest'
import { dv } from '../../../src/codecs/dv/index.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { concat } from '../../../testing/video/bit-writer.ts'
import { noise, readerOf, replay } from '../../../testing/video/replay.ts'

const BLOCK = 80
/**
 * Block types of a DIF sequence, IEC 61834-2: header, two subcode, three VAUX, then nine times one of sound and fifteen of
 * picture.
 */
const TYPES = [
  0,
  1,
  1,
  2,
  2,
  2,
  ...Array.from({ length: 9 }, () => [3, ...Array.from({ length: 15 }, () => 4)]).flat(),
]

/** A DV frame with right block numbers and filler elsewhere. */
function dvFrame(sequences: 10 | 12, channels: number): Uint8Array {
  const parts: Uint8Array[] = []
  for (let channel = 0; channel < channels; channel++) {
    for (let sequence = 0; sequence < sequences; sequence++) {
      const counts = [0, 0, 0, 0, 0]
      for (const type of TYPES) {
        const block = new Uint8Array(BLOCK).fill(0x66)
        block[0] = (type << 5) | 0x1f
        block[1] = (sequence << 4) | (channel << 3) | 7
        block[2] = counts[type]++
        block[3] = type === 0 ? (sequences === 12 ? 0xbf : 0x3f) : 0x66
        parts.push(block)
      }
    }
  }
  return concat(parts)
}

function recogniser(): Recogniser {
  const made = dv.recogniser({
    id: 1,
    kind: 'video',
    codec: 'dv',
    timescale: 25,
    config: new Uint8Array(0),
    framing: 'raw',
  })
  if (!made) throw new Error('no recogniser')
  return made
}

describe('DV', () => {
  it.each([
    ['525 lines', 10, 1, 120_000],
    ['625 lines', 12, 1, 144_000],
    ['625 lines in two channels', 12, 2, 288_000],
    ['525 lines in four channels', 10, 2, 240_000],
  ] as const)('finds frames of %s', (_, sequences, channels, size) => {
    const frame = dvFrame(sequences, channels)
    expect(frame).toHaveLength(size)
    const seen = replay(recogniser(), concat([frame, frame, frame]))
    expect(seen.map(({ length, key, order }) => [length, key, order])).toEqual([
      [size, true, 0],
      [size, true, 1],
      [size, true, 2],
    ])
  })

  it('finds a frame among other bytes, and no frame that is cut off', () => {
    const frame = dvFrame(10, 1)
    const file = concat([noise(5000), frame, noise(3000, 2)])
    const made = recogniser()
    expect(made.search(readerOf(file), 0, file.length)).toBe(5000)
    expect(
      made.recognise(readerOf(file.subarray(0, file.length - 3001)), 5000, file.length - 3001, new Unit()),
    ).toBe(false)
  })

  it('calls a frame damaged whose sequences are not all there', () => {
    const frame = dvFrame(12, 1)
    frame.fill(0, 40_000, 60_000)
    const unit = new Unit()
    expect(recogniser().recognise(readerOf(frame), 0, frame.length, unit)).toBe(true)
    expect([unit.length, unit.damaged]).toEqual([144_000, true])
  })
})
