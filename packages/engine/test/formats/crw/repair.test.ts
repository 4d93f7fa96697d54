import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, noise, truncated } from '../../../src/bytes/damage.ts'
import { crw } from '../../../src/formats/crw/index.ts'
import { photoPair, repairPhoto } from '../../../testing/photos/repair-photo.ts'

const { bytes: PHOTO, sample: SAMPLE } = photoPair(crw, 'powershot')
const HEADER = 26
const RAW = 14_000

describe('a CRW photo without its header', () => {
  it.each([
    ['zeroed', headZeroed(PHOTO, HEADER)],
    ['cut away', headCut(PHOTO, HEADER)],
  ] as const)('comes back byte for byte when it was %s', async (_, damaged) => {
    const result = await repairPhoto(damaged, 'crw')
    expect(result.report.verdict).toBe('repaired')
    expect(result.bytes).toEqual(PHOTO)
  })

  it('tells that what lies behind lost code has no certain place', async () => {
    const result = await repairPhoto(headCut(PHOTO, HEADER + 2_000), 'crw')
    expect(result.doubts).toEqual(['areas-lost', 'placement'])
    expect(result.bytes.length).toBe(PHOTO.length)
    expect(result.bytes.subarray(HEADER + 2_000)).toEqual(PHOTO.subarray(HEADER + 2_000))
    expect(result.report.pictures[0]).toMatchObject({ recovered: 0, lost: 14, estimated: 82 })
  })
})

describe('a CRW photo whose directories are lost', () => {
  it('gets them from a sample, around its own pictures', async () => {
    const cut = truncated(PHOTO, 0.7)
    const result = await repairPhoto(cut, 'crw', SAMPLE)
    expect(result.doubts).toEqual(['areas-lost', 'metadata', 'orientation'])
    expect(result.bytes.subarray(0, cut.length)).toEqual(cut)
    expect(result.report.pictures[0]).toMatchObject({ width: 128, height: 96 })
    const again = await repairPhoto(result.bytes, 'crw')
    expect(again.report.verdict).toBe('healthy')
  })

  it('keeps the JPEG picture where that is there', async () => {
    const cut = PHOTO.subarray(0, PHOTO.length - 40)
    const result = await repairPhoto(cut, 'crw', SAMPLE)
    expect(result.doubts).toEqual(['metadata', 'orientation'])
    expect(result.bytes.subarray(HEADER, HEADER + RAW)).toEqual(PHOTO.subarray(HEADER, HEADER + RAW))
    expect(result.report.pictures[0]).toMatchObject({ recovered: 96 })
  })

  it('without a sample gives the JPEG picture', async () => {
    const result = await repairPhoto(PHOTO.subarray(0, PHOTO.length - 40), 'crw')
    expect(result.report.extension).toBe('jpg')
    expect(result.doubts).toContain('preview-only')
  })

  it('has them found in front of foreign bytes, byte for byte', async () => {
    const tail = new Uint8Array(PHOTO.length + 3_000)
    tail.set(PHOTO)
    tail.set(noise(3_000, 3), PHOTO.length)
    const result = await repairPhoto(tail, 'crw')
    expect(result.findings).toEqual(['crw.foreign-tail'])
    expect(result.report.verdict).toBe('repaired')
    expect(result.bytes).toEqual(PHOTO)
  })
})
