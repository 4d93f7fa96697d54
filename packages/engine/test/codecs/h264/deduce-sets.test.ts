import { describe, expect, it, vi } from 'vitest'
import { parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { deduceSets } from '../../../src/codecs/h264/deduce-sets.ts'
import { InBandH264 } from '../../../src/codecs/h264/in-band.ts'
import { looseSlices } from '../../../src/codecs/h264/loose-slices.ts'
import { likeEncoder } from '../../../src/codecs/h264/same-encoder.ts'
import { CabacSliceReader } from '../../../src/codecs/h264/slice-data/cabac-slice.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import { resizeSps } from '../../../src/codecs/h264/write-sets.ts'
import { readerOf } from '../../../testing/video/replay.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { configOf } from './intra-slices.ts'

const NO_PAUSE = async (): Promise<void> => {}

/** A stream between packets of bytes that are none of its own, as sound lies between pictures. */
function interleaved(name: string): Uint8Array {
  const { bytes, packets } = streamFixture(name)
  let state = 7
  const parts = packets.flatMap(({ offset, size }) => {
    const sound = Uint8Array.from({ length: 150 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
      return 0x20 | (state >> 16)
    })
    return [bytes.subarray(offset, offset + size), sound]
  })
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

describe.each([
  'h264-baseline',
  'h264-cavlc',
  'h264-b-pyramid',
  'h264-b-adaptive',
  'h264-slices-2',
  'h264-10-bit',
  'h264-422-10-bit-intra',
  'h264-interlaced',
  'h264-interlaced-cavlc',
] as const)('the parameter sets of %s, from its slices alone', (name) => {
  const payload = interleaved(name)
  const reader = readerOf(payload)
  const slices = looseSlices(reader, 0, payload.length, 300)
  const [sps] = configOf(streamFixture(name)).sps
  const [pps] = configOf(streamFixture(name)).pps

  it('say the size, the syntax and the transforms of the true ones', async () => {
    const found = await deduceSets(reader, slices, NO_PAUSE)
    const sets = found && parseAvcC(found.config)
    expect({ width: found?.width, height: found?.height }).toEqual({ width: sps.width, height: sps.height })
    expect(sets?.sps[0]).toMatchObject({
      log2MaxFrameNum: sps.log2MaxFrameNum,
      pocType: sps.pocType,
      widthInMbs: sps.widthInMbs,
      heightInMbs: sps.heightInMbs,
      frameMbsOnly: sps.frameMbsOnly,
      mbaff: sps.mbaff,
      chromaFormat: sps.chromaFormat,
      bitDepthLuma: sps.bitDepthLuma,
      bitDepthChroma: sps.bitDepthChroma,
    })
    expect(sets?.pps[0]).toMatchObject({
      cabac: pps.cabac,
      initQp: pps.initQp,
      transform8x8: pps.transform8x8,
      weightedPred: pps.weightedPred,
      weightedBipred: pps.weightedBipred,
      refIdxL0: pps.refIdxL0,
      deblockingControl: pps.deblockingControl,
    })
  })
})

it.each([0, 1, 2])(
  'the parameter sets are worked out from the other key pictures where number %i was hit',
  async (hit) => {
    const payload = interleaved('h264-slices-2')
    const keys = looseSlices(readerOf(payload), 0, payload.length, 300).filter(({ idr }) => idr)
    expect(keys.length).toBeGreaterThan(2)
    const { offset, length } = keys[hit]
    payload.fill(0xa5, offset + (length >> 1), offset + (length >> 1) + 64)
    const reader = readerOf(payload)
    const [sps] = configOf(streamFixture('h264-slices-2')).sps
    const found = await deduceSets(reader, looseSlices(reader, 0, payload.length, 300), NO_PAUSE)
    expect(found).toMatchObject({ width: sps.width, height: sps.height, pictures: keys.length - 1 })
  },
)

/** The stream without what its encoder says of itself in a message before the first picture. */
function withoutNote(name: string): ReturnType<typeof deduceSets> {
  const payload = interleaved(name)
  const at = Buffer.from(payload).indexOf('x264 - core')
  payload.fill(0x78, at, at + 11)
  const reader = readerOf(payload)
  return deduceSets(reader, looseSlices(reader, 0, payload.length, 300), NO_PAUSE)
}

describe('what slices do not show', () => {
  it('is told by the encoder in words, or else assumed', async () => {
    const payload = interleaved('h264-cavlc')
    const reader = readerOf(payload)
    const told = await deduceSets(reader, looseSlices(reader, 0, payload.length, 300), NO_PAUSE)
    // no film is usually as small as this one
    expect(told?.assumed).toEqual(['how much of the coded picture is shown'])
    const silent = await withoutNote('h264-cavlc')
    expect(silent?.assumed).toContain('the starting quantiser')
  })

  it('is taken for weights by distance where encoders weigh pictures referred to one way', async () => {
    const [pps] = configOf(streamFixture('h264-b-pyramid')).pps
    const silent = await withoutNote('h264-b-pyramid')
    const found = silent && parseAvcC(silent.config)
    expect(pps).toMatchObject({ weightedPred: true, weightedBipred: 2 })
    expect(found?.pps[0].weightedBipred).toBe(2)
    expect(silent?.assumed).toContain('the weights of pictures between two others')
  })

  it('of interlaced pictures is not worked out where the encoder does not say that they are', async () => {
    expect(await withoutNote('h264-interlaced')).toBeUndefined()
  })
})

it.each(['h264-b-pyramid', 'h264-interlaced'])(
  'widths of %s whose first row is known to fail are not read again',
  async (name) => {
    const read = vi.spyOn(CabacSliceReader.prototype, 'read')
    await withoutNote(name)
    expect(read.mock.calls.length).toBeLessThan(2000)
    read.mockRestore()
  },
)

it('nothing is worked out of bytes without slices', async () => {
  const noise = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 2_654_435_761) >>> 13)
  const reader = readerOf(noise)
  expect(await deduceSets(reader, looseSlices(reader, 0, noise.length, 300), NO_PAUSE)).toBeUndefined()
})

it('parameter sets inside the payload are found with their framing, once for each place', () => {
  const fixture = streamFixture('h264-aud-repeated-headers')
  const search = new InBandH264()
  search.search(readerOf(fixture.bytes), 0, fixture.bytes.length)
  const [sets] = search.sets()
  const [sps] = configOf(fixture).sps
  expect(sets).toMatchObject({ framing: 4, sps: { width: sps.width, height: sps.height } })
  expect(sets.count).toBe(fixture.packets.filter(({ key }) => key).length)
})

describe('a sequence parameter set of another size', () => {
  const [sps] = configOf(streamFixture('h264-b-pyramid')).sps

  it('says that size and is the same in all else', () => {
    const resized = parseSps(resizeSps(sps, { widthInMbs: 240, heightInMbs: 135, width: 3840, height: 2160 }))
    expect(resized).toMatchObject({ width: 3840, height: 2160, widthInMbs: 240, heightInMbs: 135 })
    const { level, width, height, widthInMbs, heightInMbs, heightInMapUnits, places, bytes, ...rest } = sps
    expect(resized).toMatchObject(rest)
  })

  it('crops what its macroblocks have too much', () => {
    const size = { widthInMbs: 120, heightInMbs: 68, width: 1920, height: 1080 }
    expect(parseSps(resizeSps(sps, size))).toMatchObject({ width: 1920, height: 1080 })
  })
})

it('an encoder is taken for another only when their headers read the same', () => {
  const one = streamFixture('h264-b-pyramid').config
  const other = streamFixture('h264-cavlc').config
  expect(likeEncoder(one, other)).toBeUndefined()
  expect(likeEncoder(one, one)).toEqual(one)
})
