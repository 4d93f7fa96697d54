import { describe, expect, it } from 'vitest'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose } from '../../../src/engine.ts'

const text = (letters: string): number[] => [...new TextEncoder().encode(letters)]

/** Codes of one width, lowest bit first. */
function packed(codes: readonly number[], width: number): number[] {
  const bits = codes.flatMap((code) => Array.from({ length: width }, (_, i) => (code >> i) & 1))
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((value, bit, i) => value | (bit << i), 0),
  )
}

/** A picture of two pixels with codes of such a first size, and a table of two colours. */
function gif(size: number, pixels: readonly [number, number], colours: readonly number[]): Uint8Array {
  const clear = 1 << size
  const data = packed([clear, pixels[0], clear, pixels[1], clear + 1], size + 1)
  return Uint8Array.of(
    ...text('GIF89a'),
    ...[2, 0, 1, 0, 0x80, 0, 0],
    ...colours,
    ...[0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0],
    ...[size, data.length, ...data, 0, 0x3b],
  )
}

const TWO = [0, 0, 0, 255, 255, 255]
const BLACK = [0, 0, 0, 0, 0, 0]

async function findings(bytes: Uint8Array): Promise<readonly string[]> {
  const found = await diagnose({ file: { source: new MemorySource(bytes), name: 'photo.gif' } })
  return found.findings.map(({ code }) => code)
}

describe('a GIF that decoders take, though it is unusual,', () => {
  it.each([1, 2, 8, 9, 10, 11])('is healthy with first codes of %d bits', async (size) => {
    expect(await findings(gif(size, [0, 1], TWO))).toEqual([])
  })

  it('is healthy with nothing but black where its pixels are all the same', async () => {
    expect(await findings(gif(2, [1, 1], BLACK))).toEqual([])
    expect(await findings(gif(2, [0, 1], BLACK))).toEqual(['gif.colours-lost'])
  })

  it('is healthy with nothing but black where its other pixels show nothing', async () => {
    const file = gif(2, [0, 1], BLACK)
    const at = file.indexOf(0x2c)
    const withClear = (flags: number): Uint8Array =>
      Uint8Array.of(...file.subarray(0, at), ...[0x21, 0xf9, 4, flags, 0, 0, 1, 0], ...file.subarray(at))
    expect(await findings(withClear(1))).toEqual([])
    expect(await findings(withClear(0))).toEqual(['gif.colours-lost'])
  })

  it('is none with codes of a size that none takes, or that do not come to its pixels', async () => {
    expect(await findings(gif(12, [0, 1], TWO))).toContain('gif.no-picture')
    const short = gif(9, [0, 1], TWO)
    short[26] = 2
    expect(await findings(short)).not.toEqual([])
  })
})
