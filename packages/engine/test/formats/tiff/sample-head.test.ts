import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, truncated } from '../../../src/bytes/damage.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { tiffParts } from '../../../testing/photos/photo-parts.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { type CameraRaw, cameraRaw } from './camera-raw.ts'

const PHOTO = cameraRaw({ seed: 1, preview: 3_000, date: '2024:05:06 07:08:09' })
const SIBLING = cameraRaw({ seed: 2, preview: 3_000, date: '2021:01:02 03:04:05' })
const LONGER = cameraRaw({ seed: 3, preview: 3_600, date: '2021:01:02 03:04:05' })

const repaired = (damaged: Uint8Array, sample: Uint8Array | undefined, extension = 'dng') =>
  repairPhoto(damaged, extension, sample)

async function pixelsOf(bytes: Uint8Array): Promise<Uint8Array> {
  const [range] = (await tiffParts(bytes))?.units.flat() ?? []
  return bytes.slice(...(range ?? [0, 0]))
}

function pixels({ bytes, pixels: from }: CameraRaw): Uint8Array {
  return bytes.slice(from, from + 64 * 48 * 2)
}

const codes = (report: PhotoReport): string[] => (report.doubts ?? []).map(({ code }) => code)
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

describe('a raw photo whose head is lost with the directories', () => {
  it.each([
    ['zeroed', headZeroed(PHOTO.bytes, PHOTO.pixels), SIBLING, ['metadata']],
    [
      'zeroed, before another preview',
      headZeroed(PHOTO.bytes, PHOTO.pixels),
      LONGER,
      ['metadata', 'placement'],
    ],
    ['cut away', headCut(PHOTO.bytes, PHOTO.pixels), SIBLING, ['metadata']],
    ['cut away, before another preview', headCut(PHOTO.bytes, PHOTO.pixels), LONGER, ['metadata']],
  ])('(%s) has its pixels behind another photo’s head', async (_what, damaged, sample, doubts) => {
    const { report, bytes } = await repaired(damaged, sample.bytes)
    expect(report.verdict).toBe('partial')
    expect(await pixelsOf(bytes)).toEqual(pixels(PHOTO))
    expect(codes(report)).toEqual(doubts)
    expect(textOf(bytes)).toContain('Model number one')
  })

  it.each([
    ['in its head', SIBLING],
    ['in directories that are put behind the pixels', LONGER],
  ])(
    'tells nothing of when and where the sample was taken, %s, and shows nothing of it',
    async (_what, sample) => {
      const { bytes } = await repaired(headZeroed(PHOTO.bytes, PHOTO.pixels), sample.bytes)
      expect(textOf(bytes)).not.toContain('2021:01:02')
      expect(textOf(sample.bytes)).toContain('place 2021:01:02')
      expect(bytes.subarray(512, 3_512).every((byte) => byte === 0)).toBe(true)
    },
  )

  it('says which rows are gone where the damage reaches into the pixels', async () => {
    const { report, bytes } = await repaired(headZeroed(PHOTO.bytes, PHOTO.pixels + 10 * 128), SIBLING.bytes)
    expect(report.pictures[0].areas).toMatchObject([{ x: 0, y: 0, width: 64, height: 10, state: 'lost' }])
    expect(codes(report)).toContain('areas-lost')
    expect((await pixelsOf(bytes)).subarray(10 * 128)).toEqual(pixels(PHOTO).subarray(10 * 128))
  })

  const coded = (seed: number, length = 4_001): CameraRaw =>
    cameraRaw({
      seed,
      preview: 3_000,
      date: '2021:01:02 03:04:05',
      coded: { compression: 32867, bytes: Uint8Array.from({ length }, (_, i) => (i * i * seed + 3) % 251) },
    })

  it('is refused where its only code has lost its beginning', async () => {
    const { bytes, pixels: from } = coded(5)
    const { report, bytes: back } = await repaired(headZeroed(bytes, from + 100), coded(6).bytes, 'kdc')
    expect(report.verdict).toBe('unrepairable')
    expect(back.length).toBe(0)
  })

  it.each([
    [4_001, ['metadata']],
    [4_007, ['metadata', 'placement']],
  ])(
    'has a code where the sample’s lies: of %i bytes instead of 4001, the doubts are %j',
    async (length, doubts) => {
      const { bytes, pixels: from } = coded(5, length)
      const { report } = await repaired(headZeroed(bytes, from), coded(6).bytes, 'kdc')
      expect(codes(report)).toEqual(doubts)
    },
  )
})

describe('a raw photo of one VC-5 stream', () => {
  const stream = (seed: number): Uint8Array =>
    Uint8Array.from([
      ...[0x56, 0x43, 0x2d, 0x35, 0x60, 0, 0, 10],
      ...Array.from({ length: 40 }, (_, i) => (i * seed) & 0xff),
      ...Array.from({ length: 16 }, (_, i) => 200 + i),
      ...Array.from({ length: 4_000 }, (_, i) => (i * i * seed + 3) % 251),
    ])
  const photo = (seed: number, preview: number): CameraRaw =>
    cameraRaw({
      ...{ seed, preview, date: '2021:01:02 03:04:05' },
      coded: { compression: 9, bytes: stream(seed) },
    })

  it.each([3_000, 2_000])(
    'has it behind a head that is longer than its own was, with a preview of %i bytes',
    async (preview) => {
      const { bytes, pixels: from } = photo(5, preview)
      const { bytes: back } = await repaired(headZeroed(bytes, from + 30), photo(6, 3_600).bytes, 'gpr')
      expect((await pixelsOf(back)).subarray(30)).toEqual(stream(5).subarray(30))
      expect(textOf(back)).toContain('Model number one')
    },
  )
})

describe('a raw photo whose first directory alone is lost', () => {
  it('keeps its own directory of the raw picture, which the sample has elsewhere', async () => {
    const { report, bytes } = await repaired(headZeroed(PHOTO.bytes, 600), LONGER.bytes)
    expect(report.verdict).toBe('partial')
    expect(bytes.length).toBe(PHOTO.bytes.length)
    expect(bytes.subarray(600)).toEqual(PHOTO.bytes.subarray(600))
    expect(textOf(bytes)).toContain('Model number one')
    expect((await tiffParts(bytes))?.units.flat()).toEqual((await tiffParts(PHOTO.bytes))?.units.flat())
  })
})

describe('a raw photo whose directories stood behind its pixels', () => {
  const settings = { preview: 3_000, date: '2024:05:06 07:08:09', behind: true }
  const own = cameraRaw({ ...settings, seed: 1 })
  const other = cameraRaw({ ...settings, seed: 2 })

  it('is read by its own where they survive', async () => {
    const { bytes } = await repaired(headZeroed(own.bytes, 8), undefined)
    expect(bytes).toEqual(own.bytes)
  })

  it('takes those of another photo of the camera where they are cut off', async () => {
    const left = truncated(own.bytes, (own.pixels + 20 * 128) / own.bytes.length)
    const { report, bytes } = await repaired(left, other.bytes)
    expect(report.verdict).toBe('partial')
    expect(report.pictures[0]).toMatchObject({
      width: 64,
      height: 48,
      areas: [{ y: 20, height: 28, state: 'lost' }],
    })
    expect(bytes.subarray(0, left.length)).toEqual(own.bytes.subarray(0, left.length))
    expect(bytes.length).toBe(other.bytes.length)
    expect(textOf(bytes.subarray(left.length))).not.toContain('2024:05:06')
  })

  it('doubts the place of pixels where the sample’s directory in front leads elsewhere', async () => {
    const left = truncated(own.bytes, (own.pixels + 20 * 128) / own.bytes.length)
    const { bytes } = cameraRaw({ ...settings, seed: 2, preview: 3_600 })
    expect(codes((await repaired(left, bytes)).report)).toEqual(['areas-lost', 'metadata', 'placement'])
  })
})
