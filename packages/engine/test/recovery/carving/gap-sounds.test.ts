import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { fitGap } from '../../../src/recovery/carving/gap.ts'
import type { Lane } from '../../../src/recovery/carving/lane.ts'
import { interleave, lane, prior } from '../lanes.ts'

const CHUNK = 12_000

/** A mono track of 16-bit PCM. */
function mono(index: number): Lane {
  const plain = lane(index, 'audio', 48_000)
  return {
    ...plain,
    description: { ...plain.description, blockAlign: 2, channels: 1, facts: { bitsPerSample: 16 } },
  }
}

const lanes = [lane(0, 'video', 25), mono(1), mono(2)]
const learned = {
  ...interleave(lanes.map(() => prior(1, 96_000))),
  patterns: [
    {
      pieces: [
        { lane: 1, bytes: CHUNK },
        { lane: 2, bytes: CHUNK },
      ],
      total: 2 * CHUNK,
      count: 9,
    },
  ],
}

/** Two chunks of sound, a low tone and a high one. */
function chunks(): Uint8Array {
  const bytes = new Uint8Array(2 * CHUNK)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < CHUNK; i++) {
    const tone = i < CHUNK / 2 ? Math.sin(i / 30) : Math.sin(i / 11)
    view.setInt16(i * 2, Math.round(9000 * tone + ((i * 7919) % 101)), true)
  }
  return bytes
}

function noise(length: number): Uint8Array {
  let state = 12_345
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    return state >>> 16
  })
}

describe('a gap of several tracks of PCM', () => {
  it('is dealt out from its end where what was before it is something else', () => {
    const foreign = noise(7000)
    const bytes = new Uint8Array([...foreign, ...chunks()])
    const pieces = fitGap(new ByteReader(new MemorySource(bytes)), lanes, learned, 0, bytes.length, false)
    expect(pieces).toEqual([
      { lane: 1, offset: foreign.length, length: CHUNK },
      { lane: 2, offset: foreign.length + CHUNK, length: CHUNK },
    ])
  })

  it('is dealt out from both ends where bytes are missing, however that shifts the samples', () => {
    const whole = chunks()
    const cut = CHUNK - 3000
    const bytes = new Uint8Array([...whole.subarray(0, cut), ...whole.subarray(cut + 513)])
    const pieces = fitGap(new ByteReader(new MemorySource(bytes)), lanes, learned, 0, bytes.length, false)
    expect(pieces.map((piece) => piece.lane)).toEqual([1, 1, 2])
    const [first, rest, second] = pieces
    expect(first.offset).toBe(0)
    expect(Math.abs(first.length - cut)).toBeLessThan(16)
    expect(Math.abs(rest.length - (3000 - 513))).toBeLessThan(16)
    expect(second).toEqual({ lane: 2, offset: bytes.length - CHUNK, length: CHUNK })
  })

  it('is dealt out from its start where the file breaks off in it', () => {
    const bytes = chunks().slice(0, CHUNK - 2001)
    const pieces = fitGap(new ByteReader(new MemorySource(bytes)), lanes, learned, 0, bytes.length, true)
    expect(pieces).toEqual([{ lane: 1, offset: 0, length: bytes.length - 1 }])
  })
})
