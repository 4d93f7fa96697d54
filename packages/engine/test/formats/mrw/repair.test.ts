import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { mrw } from '../../../src/formats/mrw/index.ts'
import { photoPair, repairPhoto } from '../../../testing/photos/repair-photo.ts'

const { bytes: PHOTO, sample: SAMPLE } = photoPair(mrw, 'dimage')
/** Where its pixels begin. */
const DATA = 8 + new DataView(PHOTO.buffer, PHOTO.byteOffset).getUint32(4)
const PIXELS = PHOTO.subarray(DATA)

describe('an MRW photo without its head', () => {
  it.each([
    ['zeroed', headZeroed(PHOTO, 8)],
    ['cut away', headCut(PHOTO, 8)],
  ] as const)('comes back byte for byte when its signature alone was %s', async (_, damaged) => {
    const result = await repairPhoto(damaged, 'mrw')
    expect(result.report.verdict).toBe('repaired')
    expect(result.bytes).toEqual(PHOTO)
  })

  it.each([
    ['zeroed', headZeroed(PHOTO, DATA)],
    ['cut away', headCut(PHOTO, DATA)],
  ] as const)("has its pixels behind a sample's blocks when these were %s", async (_, damaged) => {
    const result = await repairPhoto(damaged, 'mrw', SAMPLE)
    expect(result.doubts).toContain('metadata')
    expect(result.bytes.slice(-PIXELS.length)).toEqual(PIXELS)
    expect(result.report.pictures[0]).toMatchObject({ width: 120, height: 88, recovered: 88, lost: 0 })
  })

  it('has what is left of its pixels at their place when some were cut away with it', async () => {
    const result = await repairPhoto(headCut(PHOTO, DATA + 2_560), 'mrw', SAMPLE)
    expect(result.bytes.slice(-PIXELS.length + 2_560)).toEqual(PIXELS.subarray(2_560))
    expect(result.report.pictures[0].areas).toEqual([
      expect.objectContaining({ y: 0, state: 'lost', height: Math.ceil((2_560 / PIXELS.length) * 88) }),
    ])
  })
})

it('an MRW photo that breaks off is filled up', async () => {
  const cut = truncated(PHOTO, 0.7)
  const result = await repairPhoto(cut, 'mrw')
  expect(result.bytes.length).toBe(PHOTO.length)
  expect(result.bytes.subarray(0, cut.length)).toEqual(cut)
  expect(result.doubts).toEqual(['areas-lost'])
})

it('of a photo of which next to nothing survives the stored preview comes, no raw picture of filler', async () => {
  const result = await repairPhoto(truncated(PHOTO, (DATA + 64) / PHOTO.length), 'mrw')
  expect(result.report.pictures).toEqual([expect.objectContaining({ role: 'preview', codec: 'jpeg' })])
  expect(result.doubts).toContain('preview-only')
  expect(result.bytes.length).toBeLessThan(PHOTO.length)
})
