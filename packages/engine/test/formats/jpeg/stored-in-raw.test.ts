import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../testing/hostile-sources.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const preview = writePhoto(drawPicture(320, 240, 5), { sampling: [2, 2], quality: 90, interval: 0 })
const random = randomFrom(7)
const pixels = Uint8Array.from({ length: 8_000 }, () => Math.floor(random() * 128))
const zeros = new Uint8Array(4_096)

describe('a file without its head in which a JPEG is', () => {
  it.each([
    ['whole', preview],
    ['with its start lost', preview.subarray(30)],
  ])('%s: what a raw photo had stored is its preview alone', async (_, stored) => {
    const damaged = new Uint8Array(Buffer.concat([zeros, stored, pixels]))
    const { report, doubts } = await repairPhoto(damaged, 'dng')
    expect(report.verdict).toBe('partial')
    expect(doubts).toContain('preview-only')
    expect(report.pictures.map(({ role }) => role)).toEqual(['preview'])
  })

  it('is the photo itself where the name says JPEG, or it begins as one', async () => {
    const lost = new Uint8Array(Buffer.concat([zeros, preview]))
    expect((await repairPhoto(lost, 'jpg')).doubts).not.toContain('preview-only')
    const misnamed = Uint8Array.from(preview).fill(0, 9_000, 9_400)
    const { report, doubts } = await repairPhoto(misnamed, 'dng')
    expect(report.verdict).toBe('partial')
    expect(doubts).not.toContain('preview-only')
  })
})
