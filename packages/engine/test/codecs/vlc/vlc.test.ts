import { describe, expect, it } from 'vitest'
import { BitReader } from '../../../src/bytes/bit-reader.ts'
import { INTER_COEFFICIENTS, INTRA_COEFFICIENTS } from '../../../src/codecs/vlc/coefficients.ts'
import { Vlc } from '../../../src/codecs/vlc/vlc.ts'

function bitsOf(text: string): BitReader {
  const digits = text.replaceAll(' ', '')
  const bytes = Uint8Array.from(
    digits.padEnd(Math.ceil(digits.length / 8) * 8, '0').match(/.{8}/g) ?? [],
    (byte) => Number.parseInt(byte, 2),
  )
  return new BitReader(bytes, 0, digits.length)
}

const noEscape = (): number => -1

describe('variable length codes', () => {
  it('are read one after another', () => {
    const code = new Vlc([
      ['1', 5],
      ['01', 6],
      ['001', 7],
    ])
    const bits = bitsOf('1 001 01 000')
    expect([code.read(bits), code.read(bits), code.read(bits), code.read(bits)]).toEqual([5, 7, 6, -1])
    expect(bits.position).toBe(6)
  })

  it('that may go on behind the end are an overrun, others none', () => {
    const code = new Vlc([
      ['1', 5],
      ['0001', 6],
    ])
    const cut = bitsOf('1 000')
    expect([code.read(cut), code.read(cut), cut.overrun]).toEqual([5, -1, true])
    const wrong = bitsOf('0000 1')
    expect([code.read(wrong), wrong.overrun, wrong.position]).toEqual([-1, false, 0])
  })

  it('that begin one another are refused', () => {
    const code = new Vlc([
      ['01', 1],
      ['010', 2],
    ])
    expect(() => code.read(bitsOf('010'))).toThrow(RangeError)
  })
})

describe('transform coefficients', () => {
  it('end with the last one', () => {
    // level 1 behind no zeros, then the last one behind no zeros: each with a sign
    const bits = bitsOf('10 0 0111 1 1111')
    expect(INTER_COEFFICIENTS.readBlock(bits, 0, noEscape)).toBe(true)
    expect(bits.position).toBe(8)
  })

  it('must not be more than a block holds', () => {
    const bits = bitsOf('10 0 '.repeat(65))
    expect(INTRA_COEFFICIENTS.readBlock(bits, 0, noEscape)).toBe(false)
  })

  it('must not run past the end of the bytes', () => {
    expect(INTER_COEFFICIENTS.readBlock(bitsOf('10 0 10'), 0, noEscape)).toBe(false)
  })
})
