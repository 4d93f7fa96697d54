import { expect, it, vi } from 'vitest'
import { codeLengths } from '../../src/bytes/deflate/code-lengths.ts'
import { LowBitWriter } from '../../src/bytes/deflate/low-bit-writer.ts'
import { LowBits } from '../../src/bytes/deflate/low-bits.ts'
import { PrefixCode } from '../../src/bytes/deflate/prefix-code.ts'

/** Symbols of a code written one after another, and the widths of all looks that reading each of them takes. */
function looks(code: PrefixCode, symbols: readonly number[]): number[][] {
  const writer = new LowBitWriter()
  for (const symbol of symbols) {
    const { word, length } = code.wordOf(symbol)
    writer.put(word, length)
  }
  const bits = new LowBits(writer.bytes())
  const peek = vi.spyOn(bits, 'peek')
  return symbols.map((symbol) => {
    peek.mockClear()
    expect(code.read(bits)).toBe(symbol)
    return peek.mock.calls.map(([count]) => count)
  })
}

it('a code of short words is read with one look each, as wide as its longest word', () => {
  const code = new PrefixCode(Uint8Array.of(1, 2, 3, 3))
  expect(looks(code, [3, 0, 1, 2, 3, 3, 0])).toEqual(Array.from({ length: 7 }, () => [3]))
})

it('a code of long words is read with one look of ten bits where a word is no longer, and with a second one else', () => {
  const rare = Uint32Array.from({ length: 30 }, (_, i) => Math.floor(1.6 ** i))
  const lengths = codeLengths(rare, 15)
  const code = new PrefixCode(lengths)
  const symbols = [...lengths.keys()]
  expect(Math.max(...lengths)).toBe(15)
  expect(looks(code, symbols)).toEqual(symbols.map((symbol) => (lengths[symbol] > 10 ? [10, 15] : [10])))
})
