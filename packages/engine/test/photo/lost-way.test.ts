import { describe, expect, it } from 'vitest'
import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { lostWay } from '../../src/photo/reading/lost-way.ts'
import type { Piece } from '../../src/photo/reading/pieces.ts'

/** MCUs of a stream, and bits of each: one in four bytes. */
const COUNT = 2_000
const BITS = 32

const stream = {
  ...{ coefficients: new Int16Array(0), count: COUNT, runs: [], usualBits: BITS },
  starts: Uint32Array.from({ length: COUNT }, (_, mcu) => mcu * BITS),
}

function pieceFrom(first: number, end: number, omitted?: number): Piece {
  const bits = { startBit: first * BITS, endBit: end * BITS, step: 1, phase: 0, broken: false, flush: true }
  return {
    first,
    count: end - first,
    sections: [{ first, count: end - first, known: true }],
    ...bits,
    ...(omitted === undefined ? {} : { omitted }),
  }
}

/** The first MCU of each stretch where the way may be lost, and the one behind its last. */
function stretches(bytes: Uint8Array, pieces: readonly Piece[]): number[][] {
  const lost = lostWay(
    entropyData(bytes, 0, bytes.length, () => false),
    pieces,
    stream,
  )
  const found: number[][] = []
  lost.forEach((value, mcu) => {
    if (value !== 1) return
    if (lost[mcu - 1] === 1) found[found.length - 1][1] = mcu + 1
    else found.push([mcu, mcu + 1])
  })
  return found
}

describe('the way through a scan may be lost', () => {
  const data = Uint8Array.from({ length: COUNT * 4 }, (_, at) => (at % 200) + 1)

  it('where a piece begins, from what was left out in front of it on', () => {
    expect(stretches(data, [pieceFrom(0, 990), pieceFrom(1_000, COUNT, 10)])).toEqual([
      [0, 48],
      [966, 1_048],
    ])
  })

  it('around bytes that were overwritten, and a sector around a marker that no scan holds', () => {
    const zeros = data.slice().fill(0, 2_000, 2_512)
    expect(stretches(zeros, [])).toEqual([[484, 692]])
    const noise = data.slice()
    noise.set([0xff, 0x31], 4_000)
    expect(stretches(noise, [])).toEqual([[856, 1_193]])
  })
})
