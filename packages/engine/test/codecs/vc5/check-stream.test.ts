import { describe, expect, it } from 'vitest'
import { checkStream } from '../../../src/codecs/vc5/check-stream.ts'

const [CHANNELS, WIDTH, HEIGHT, SUBBAND, PATTERN_WIDTH, PATTERN_HEIGHT] = [12, 20, 21, 48, 106, 107]
/** Codes of codebook 17 that the streams here are written with. */
const [ZERO, PLUS_ONE, TWELVE_ZEROS, END] = ['0', '100', '1101001', '11000100010100101110100011']

/** A band of `count` coefficients: ones with zeros between them, its end and zeros up to a whole word. */
function band(count: number): number[] {
  let bits = ''
  for (let left = count; left > 0; ) {
    const [code, length] = left > 12 && left % 3 === 0 ? [TWELVE_ZEROS, 12] : [left % 2 ? ZERO : PLUS_ONE, 1]
    bits += code
    left -= length
  }
  bits += END
  bits = bits.padEnd(Math.ceil(bits.length / 32) * 32, '0')
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

function pair(tag: number, value: number): number[] {
  return [(tag >> 8) & 0xff, tag & 0xff, value >> 8, value & 0xff]
}

/** A stream of four channels of 16 x 8 coefficients; where each of its bands begins and ends. */
function stream(): { bytes: Uint8Array; bands: [number, number][] } {
  const bytes = [...Buffer.from('VC-5'), ...pair(CHANNELS, 4), ...pair(WIDTH, 32), ...pair(HEIGHT, 16)]
  bytes.push(...pair(PATTERN_WIDTH, 2), ...pair(PATTERN_HEIGHT, 2))
  // an optional chunk that nothing here reads
  bytes.push(...pair(-0x4004, 2), ...[1, 2, 3, 4, 5, 6, 7, 8])
  const bands: [number, number][] = []
  for (let channel = 0; channel < 4; channel++)
    for (const [index, count] of [2, 2, 2, 2, 8, 8, 8, 32, 32, 32].entries()) {
      const data = index === 0 ? [4, 7, 4, 9] : band(count)
      bytes.push(...pair(SUBBAND, index), ...pair(-0x6000, data.length / 4), ...data)
      bands.push([bytes.length - data.length, bytes.length])
    }
  return { bytes: Uint8Array.from(bytes), bands }
}

describe('a VC-5 stream', () => {
  const { bytes, bands } = stream()
  it('is whole with all coefficients of all its bands', () => {
    expect(checkStream(bytes)).toBe('whole')
    expect(checkStream(Uint8Array.from([...bytes, 0, 0, 0]))).toBe('whole')
  })
  it('is broken where zeros lie in any of its bands but the uncoded ones', () => {
    for (const [index, [from, to]] of bands.entries()) {
      if (index % 10 === 0) continue
      expect(checkStream(bytes.slice().fill(0, from, to))).toBe('broken')
    }
  })
  it('is broken where it ends early, or a band is gone', () => {
    expect(checkStream(bytes.subarray(0, bytes.length - 4))).toBe('broken')
    expect(checkStream(bytes.slice().fill(0, 0, 2))).toBe('broken')
    const [from] = bands[13]
    const [, to] = bands[14]
    expect(checkStream(Uint8Array.from([...bytes.subarray(0, from - 8), ...bytes.subarray(to)]))).toBe(
      'broken',
    )
  })
  it('is broken where bands of one size stand in another order', () => {
    const turned = bytes.slice()
    // a pair of eight bytes in front of each band tells which one it is
    turned[bands[4][0] - 5] = 5
    turned[bands[5][0] - 5] = 4
    expect(checkStream(turned)).toBe('broken')
  })
  it('is not judged without its size', () => {
    const unsized = bytes.slice()
    unsized[9] = 0x7f
    expect(checkStream(unsized)).toBe('unknown')
  })
})
