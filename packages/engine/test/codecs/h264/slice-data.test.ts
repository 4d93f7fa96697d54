import { describe, expect, it } from 'vitest'
import { BitReader } from '../../../src/bytes/bit-reader.ts'
import {
  CHROMA_TOKENS,
  CHROMA_ZEROS,
  LUMA_TOKENS,
  PrefixCode,
  RUN_BEFORE,
  TOTAL_ZEROS,
} from '../../../src/codecs/h264/slice-data/variable-length.ts'
import { intraSlices, layoutOf, readSlice } from './intra-slices.ts'

const STREAMS = [
  'h264-baseline',
  'h264-cavlc',
  'h264-b-pyramid',
  'h264-slices-2',
  'h264-slices-8',
  'h264-10-bit',
  'h264-422-10-bit-intra',
  'h264-aud-repeated-headers',
  'h264-interlaced',
  'h264-interlaced-cavlc',
  'h264-field-pairs',
] as const

describe.each(STREAMS)('intra slices of %s', (name) => {
  const { slices, config } = intraSlices(name)

  it('are there', () => expect(slices.length).toBeGreaterThan(0))

  it('end exactly where their bits end, with every macroblock read', () => {
    const layout = layoutOf(config)
    const total = layout.width * layout.height
    for (const [i, slice] of slices.entries()) {
      const reading = readSlice(slice, config, layout)
      const next = slices[i + 1]?.header.firstMb ?? 0
      expect(reading).toMatchObject({
        macroblocks: (next > slice.header.firstMb ? next : total) - slice.header.firstMb,
        exact: true,
      })
    }
  })
})

it.each(STREAMS.filter((name) => name !== 'h264-slices-8'))(
  'intra slices of %s do not end exactly in a picture of another width',
  (name) => {
    const { slices, config } = intraSlices(name)
    const { width, height } = layoutOf(config)
    const exact = [width - 1, width + 1, width * 2].flatMap((other) => {
      const layout = layoutOf(config, { width: other, height: height * 4 })
      return slices.filter((slice) => readSlice(slice, config, layout).exact)
    })
    expect(exact).toEqual([])
  },
)

it('a slice coded with CABAC does not end exactly when its quantiser is taken for another', () => {
  const { slices, config } = intraSlices('h264-b-pyramid')
  const layout = layoutOf(config)
  for (const slice of slices) expect(readSlice(slice, config, layout, slice.header.qp + 4).exact).toBe(false)
})

it('random bytes are read without failing and end exactly nowhere', () => {
  for (const name of ['h264-b-pyramid', 'h264-cavlc'] as const) {
    const { slices, config } = intraSlices(name)
    const layout = layoutOf(config, { width: 120, height: 68 })
    let state = 1
    for (let run = 0; run < 50; run++) {
      const bytes = Uint8Array.from({ length: 4000 }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
        return state >> 16
      })
      const reading = readSlice({ bytes, header: slices[0].header }, config, layout)
      expect(reading.exact).toBe(false)
    }
  }
})

describe('prefix codes', () => {
  it.each([
    ...LUMA_TOKENS.map((code, i) => [`coefficient tokens ${i}`, code] as const),
    ...[1, 2].map((format) => [`chroma tokens ${format}`, CHROMA_TOKENS[format === 1 ? 1 : 2]] as const),
    ...TOTAL_ZEROS.map((code, i) => [`total zeros of ${i + 1}`, code] as const),
    ...CHROMA_ZEROS[1].map((code, i) => [`chroma zeros of ${i + 1}`, code] as const),
    ...CHROMA_ZEROS[2].map((code, i) => [`chroma zeros of ${i + 1} in 4:2:2`, code] as const),
    ...RUN_BEFORE.map((code, i) => [`run before with ${i + 1} zeros left`, code] as const),
  ])('%s: every value is read back from its own word', (_, code) => {
    const seen = new Set<number>()
    for (let word = 0; word < 0x1_0000; word++) {
      const value = code.read(new BitReader(Uint8Array.of(word >> 8, word & 255)))
      if (value >= 0) seen.add(value)
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  it('takes a word for its value and moves past it', () => {
    const code = new PrefixCode([1, 2, 2], [1, 1, 0])
    const bits = new BitReader(Uint8Array.of(0b0110_0000))
    expect([code.read(bits), bits.position, code.read(bits), bits.position]).toEqual([1, 2, 0, 3])
  })
})
