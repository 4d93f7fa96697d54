import { constants, deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codeLengths } from '../../src/bytes/deflate/code-lengths.ts'
import { deflate } from '../../src/bytes/deflate/deflate.ts'
import { deflateStored } from '../../src/bytes/deflate/deflate-stored.ts'
import { inflateZlib } from '../../src/bytes/deflate/inflate-zlib.ts'
import { LowBitWriter } from '../../src/bytes/deflate/low-bit-writer.ts'
import { PrefixCode } from '../../src/bytes/deflate/prefix-code.ts'
import { noise } from '../../testing/hostile-sources.ts'

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

describe('what is deflated here', () => {
  it('is inflated by others, in little more room than they take', () => {
    for (const length of [0, 1, 2, 3, 300, 70_000, 200_000]) {
      const bytes = material(length)
      const writer = new LowBitWriter()
      deflate(bytes, 0, writer)
      const packed = writer.bytes()
      expect(Buffer.compare(inflateRawSync(packed), bytes)).toBe(0)
      expect(packed.length).toBeLessThan(1.2 * deflateRawSync(bytes).length + 80)
      expect(Buffer.compare(inflateSync(deflateStored(bytes)), bytes)).toBe(0)
    }
  })

  it('goes on behind what the reader knows, with repetitions of it as far back as 32 KiB', () => {
    const bytes = new Uint8Array(70_000)
    const known = noise(32_768, 6)
    bytes.set(known, 1000)
    bytes.set(known, 33_768)
    const writer = new LowBitWriter()
    deflate(bytes.subarray(0, 66_536), 33_768, writer)
    const packed = writer.bytes()
    expect(packed.length).toBeLessThan(1000)
    const dictionary = bytes.subarray(1000, 33_768)
    expect(Buffer.compare(inflateRawSync(packed, { dictionary }), known)).toBe(0)
  })

  it('has the shortest code that fits, and of words cut short none too many', () => {
    const rare = Uint32Array.from({ length: 30 }, (_, i) => Math.floor(1.6 ** i))
    for (const longest of [5, 7, 15]) {
      const lengths = codeLengths(rare, longest)
      const code = new PrefixCode(lengths)
      expect(code).toMatchObject({ possible: true, complete: true, words: 30 })
      expect(Math.max(...lengths)).toBeLessThanOrEqual(longest)
      expect([...lengths]).toEqual(
        lengths
          .toSorted((a, b) => b - a)
          .values()
          .toArray(),
      )
    }
    expect([...codeLengths([0, 0, 5, 0], 7)]).toEqual([1, 0, 1, 0])
    expect([...codeLengths([1, 1, 2, 4, 8], 7)]).toEqual([4, 4, 3, 2, 1])
  })
})
