import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { x3f } from '../../../src/formats/x3f/index.ts'
import { readDirectory, type Section } from '../../../src/formats/x3f/read.ts'
import { photoPair, repairPhoto } from '../../../testing/photos/repair-photo.ts'

const { bytes: PHOTO, sample: SAMPLE } = photoPair(x3f, 'foveon')
const HEADER = 40

function sectionsOf(bytes: Uint8Array): readonly Section[] {
  return readDirectory(new ByteReader(new MemorySource(bytes)))?.sections ?? []
}

function contents(bytes: Uint8Array): readonly Uint8Array[] {
  return sectionsOf(bytes).map(({ offset, length }) => bytes.slice(offset, offset + length))
}

describe('an X3F photo without its head', () => {
  it.each([
    ['zeroed', headZeroed(PHOTO, HEADER)],
    ['cut away', headCut(PHOTO, HEADER)],
  ] as const)("has a sample's header in front of all of its sections when it was %s", async (_, damaged) => {
    const result = await repairPhoto(damaged, 'x3f', SAMPLE)
    expect(result.doubts).toEqual(['metadata'])
    expect(contents(result.bytes)).toEqual(contents(PHOTO))
    expect(result.bytes.length).toBe(PHOTO.length)
  })

  it('without a sample gives the picture stored in it', async () => {
    const result = await repairPhoto(headZeroed(PHOTO, HEADER), 'x3f')
    expect(result.report.extension).toBe('jpg')
    expect(result.doubts).toEqual(['preview-only'])
  })
})

describe('an X3F photo that breaks off', () => {
  const last = sectionsOf(PHOTO)[3]
  const sensor = sectionsOf(PHOTO)[1]

  it('in front of its directory has it made anew from its sections', async () => {
    const result = await repairPhoto(PHOTO.subarray(0, last.offset + last.length), 'x3f')
    expect(contents(result.bytes)).toEqual(contents(PHOTO))
    expect(result.report.pictures[0]).toMatchObject({ width: 128, height: 96, recovered: 96 })
  })

  it("in its sensor's data says how much a sample's has more, and takes the calibration from it", async () => {
    const cut = truncated(PHOTO, 0.7)
    const result = await repairPhoto(cut, 'x3f', SAMPLE)
    expect(result.bytes.subarray(0, cut.length)).toEqual(cut)
    expect(contents(result.bytes).slice(2)).toEqual(contents(SAMPLE).slice(2))
    const [sampled] = sectionsOf(SAMPLE).slice(1)
    const [picture] = result.report.pictures
    expect(picture.recovered).toBe(Math.floor(((cut.length - sensor.offset) / sampled.length) * 96))
    const alone = await repairPhoto(cut, 'x3f')
    expect(alone.report.pictures[0]).toMatchObject({ recovered: 0, estimated: 96 })
  })
})
