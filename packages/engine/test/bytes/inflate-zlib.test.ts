import { constants, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflateZlib } from '../../src/bytes/deflate/inflate-zlib.ts'

const PLENTY = 1 << 24

/** Bytes with repetitions near and far, and with noise. */
function material(length: number): Uint8Array {
  let state = 7
  return Uint8Array.from({ length }, (_, i) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return i % 5000 < 2500 ? (i >> 3) & 63 : i % 7 === 0 ? state >> 20 : 0
  })
}

const WAYS = [
  ['stored', { level: 0 }],
  ['with fixed codes', { strategy: constants.Z_FIXED }],
  ['with codes of its own', { level: 9 }],
  ['without repetitions', { strategy: constants.Z_HUFFMAN_ONLY }],
  ['with runs only', { strategy: constants.Z_RLE }],
] as const

describe('a zlib stream', () => {
  it.each(WAYS)('%s is inflated to what it was, and its checksum agrees', (_, options) => {
    for (const length of [0, 1, 300, 70_000, 400_000]) {
      const bytes = material(length)
      const found = inflateZlib(deflateSync(bytes, options), PLENTY)
      expect(Buffer.compare(found.bytes, bytes)).toBe(0)
      expect(found).toMatchObject({ end: 'whole', checked: true })
    }
  })

  it.each(WAYS)('%s that breaks off gives what comes before', (_, options) => {
    const bytes = material(20_000)
    const stream = deflateSync(bytes, options)
    for (let length = 0; length < stream.length - 4; length += 1 + (stream.length >> 6)) {
      const found = inflateZlib(stream.subarray(0, length), PLENTY)
      expect(found.end).toBe('cut')
      expect(found.checked).toBeUndefined()
      expect(Buffer.compare(found.bytes, bytes.subarray(0, found.bytes.length))).toBe(0)
    }
    const nearly = inflateZlib(stream.subarray(0, Math.floor(stream.length * 0.9)), PLENTY)
    expect(nearly.bytes.length).toBeGreaterThan(bytes.length * 0.5)
  })

  it('with a flipped bit is noticed and gives what comes before the bit', () => {
    const bytes = material(50_000)
    const stream = deflateSync(bytes, { level: 6 })
    for (let at = 40; at < stream.length; at += 997) {
      const hit = Uint8Array.from(stream)
      hit[at] ^= 4
      const found = inflateZlib(hit, PLENTY)
      expect(found.end === 'whole' && found.checked === true).toBe(false)
      const before = inflateZlib(stream.subarray(0, at), PLENTY).bytes.length
      expect(Buffer.compare(found.bytes.subarray(0, before), bytes.subarray(0, before))).toBe(0)
    }
  })

  it('is not inflated past the bound', () => {
    const found = inflateZlib(deflateSync(new Uint8Array(1 << 22)), 100_000)
    expect(found.end).toBe('bounded')
    expect(found.bytes.length).toBe(100_000)
  })

  it('is inflated although its header was hit', () => {
    const bytes = material(3_000)
    const stream = Uint8Array.from(deflateSync(bytes))
    stream[0] = 0
    expect(Buffer.compare(inflateZlib(stream, PLENTY).bytes, bytes)).toBe(0)
  })
})
