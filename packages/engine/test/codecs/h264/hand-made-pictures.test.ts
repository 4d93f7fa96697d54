import { describe, expect, it } from 'vitest'
import { H264PictureReader } from '../../../src/codecs/h264/picture-reader.ts'
import { type Pps, parsePps } from '../../../src/codecs/h264/pps.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import {
  makePps,
  makeSlice,
  makeSps,
  type SliceFacts,
  type SpsFacts,
} from '../../../testing/video/h264-maker.ts'

const WIDTH = 8
/** Macroblocks of a field; frames of `makeSps` with fields have twice as many. */
const FIELD = 32

function opened(facts: SpsFacts = {}, changes: Partial<Pps> = {}): H264PictureReader {
  const sps = parseSps(makeSps(facts))
  const pps = parsePps(makePps())
  if (!sps || !pps) throw new Error('no parameter sets')
  return new H264PictureReader({ lengthSize: 1, sps: [sps], pps: [{ ...pps, ...changes }] })
}

const sample = (...nals: Uint8Array[]) => Uint8Array.from(nals.flatMap((nal) => [nal.length, ...nal]))

/** A P slice of `count` macroblocks that are skipped. */
const skipping = (count: number, facts: SliceFacts = {}, sps: SpsFacts = {}) =>
  makeSlice({ data: (bits) => bits.ue(count), ...facts }, sps)

describe('pictures of two fields', () => {
  const sps = { fields: true }
  const reader = opened(sps)
  const top = (count: number) => skipping(count, { field: true }, sps)
  const bottom = (count: number, firstMb = 0) => skipping(count, { field: true, bottom: true, firstMb }, sps)

  it('are whole with both of them, or where one is a sample of its own', () => {
    expect(reader.read(sample(top(FIELD), bottom(FIELD)))).toBe('whole')
    expect(reader.read(sample(top(FIELD)))).toBe('whole')
    expect(reader.read(sample(top(FIELD), bottom(WIDTH), bottom(FIELD - WIDTH, WIDTH)))).toBe('whole')
  })

  it('are broken where either ends early', () => {
    expect(reader.read(sample(top(FIELD), bottom(WIDTH)))).toBe('broken')
    expect(reader.read(sample(top(WIDTH), bottom(FIELD)))).toBe('broken')
  })
})

describe('what is not read of a picture', () => {
  it('are data partitions, redundant slices and slice groups', () => {
    const whole = skipping(FIELD)
    expect(opened().read(sample(whole))).toBe('whole')
    const partition = Uint8Array.of(0x22, 0x80, 0x40)
    expect(opened().read(sample(whole, partition))).toBe('unread')
    expect(opened({}, { sliceGroups: 2 }).read(sample(whole))).toBe('unread')
    const redundant = skipping(FIELD, { redundant: 1 })
    expect(opened({}, { redundantPicCnt: true }).read(sample(redundant))).toBe('unread')
  })
})

it('parameter sets within a sample count from there on', () => {
  const reader = opened()
  const slice = skipping(FIELD, { ppsId: 3 })
  expect(reader.read(sample(slice))).toBe('unread')
  expect(reader.read(sample(makePps(3), slice))).toBe('whole')
})

describe('slices of variable length codes', () => {
  /** `count` skipped macroblocks, then one with a vector and nothing else. */
  const vector = (bits: Parameters<NonNullable<SliceFacts['data']>>[0], count: number) =>
    bits.ue(count).ue(0).se(2).se(-1).ue(0)

  it('end with a macroblock, or with some that are skipped', () => {
    const reader = opened()
    const first = makeSlice({ data: (bits) => vector(bits, 15) })
    expect(reader.read(sample(first, skipping(16, { firstMb: 16 })))).toBe('whole')
    const last = makeSlice({ firstMb: 16, data: (bits) => vector(bits, 15) })
    expect(reader.read(sample(skipping(16), last))).toBe('whole')
  })

  it('do not end with none that are skipped, nor skip more than there are', () => {
    const reader = opened()
    const first = makeSlice({ data: (bits) => vector(bits, 15).ue(0) })
    expect(reader.read(sample(first, skipping(16, { firstMb: 16 })))).toBe('torn')
    expect(reader.read(sample(skipping(16), skipping(17, { firstMb: 16 })))).toBe('torn')
  })
})
