import { describe, expect, it } from 'vitest'
import type { PhotoReport } from '../../../src/model/report.ts'
import { DQT, SOS } from '../../../src/syntax/jpeg-markers/markers.ts'
import { walkSegments } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
const SIZE = [640, 400] as const

function segmentOf(bytes: Uint8Array, marker: number): { offset: number; end: number } {
  const segment = walkSegments(bytes, 0).find((found) => found.marker === marker)
  if (!segment) throw new Error('no such segment')
  return segment
}

/** A photo that stores a small picture of a scene. */
function photoOf(scene: number, preview: number, quality = 90): Uint8Array {
  const thumbnail = writePhoto(drawPicture(160, 100, preview), PLAIN)
  return writePhoto(drawPicture(...SIZE, scene), { ...PLAIN, quality, thumbnail })
}

/** The scan of one photo behind the header of another. */
function headOf(head: Uint8Array, scan: Uint8Array): Uint8Array {
  return Uint8Array.from([
    ...head.subarray(0, segmentOf(head, SOS).end),
    ...scan.subarray(segmentOf(scan, SOS).end),
  ])
}

/** A photo whose step of luminance DC is another. */
function withStep(photo: Uint8Array, step: number): Uint8Array {
  const bytes = Uint8Array.from(photo)
  bytes[segmentOf(photo, DQT).offset + 5] = step
  return bytes
}

const codes = ({ doubts }: PhotoReport): string[] => (doubts ?? []).map(({ code }) => code).sort()

/** The step of luminance DC that a file has. */
const stepOf = (bytes: Uint8Array): number => readPhoto(bytes)?.quantisation[0][0] ?? 0

describe('a JPEG photo with quantisation tables that are none of its own', () => {
  it('is not healthy where they make it brighter than white: those that its preview tells take their place', async () => {
    const photo = photoOf(3, 3)
    const own = stepOf(photo)
    const { report, bytes } = await repairPhoto(withStep(photo, 3 * own), 'jpg')
    expect(report.verdict).toBe('partial')
    expect(codes(report)).toEqual(['quantisation'])
    expect(Math.abs(stepOf(bytes) - own)).toBeLessThanOrEqual(1)
    expect(report.pictures[0].rebuilt).toEqual([{ part: 'quantisation tables', from: 'fitted' }])
  })

  it('is not healthy where they make it duller than its preview', async () => {
    const photo = photoOf(3, 3, 50)
    const own = stepOf(photo)
    const { report, bytes } = await repairPhoto(withStep(photo, own / 4), 'jpg')
    expect(codes(report)).toEqual(['quantisation'])
    expect(Math.abs(stepOf(bytes) - own)).toBeLessThanOrEqual(1)
  })

  it.each([
    ['coarser', 95, 60],
    ['finer', 50, 95],
  ])(
    'has another photo’s header where that has %s steps, and its preview shows another picture',
    async (_, scan, head) => {
      const photo = photoOf(3, 3, scan)
      const own = stepOf(photo)
      const { report, bytes } = await repairPhoto(headOf(photoOf(11, 11, head), photo), 'jpg')
      expect(report.verdict).toBe('partial')
      expect(codes(report)).toEqual(['metadata', 'orientation', 'quantisation'])
      expect(stepOf(bytes) / own).toBeGreaterThan(0.7)
      expect(stepOf(bytes) / own).toBeLessThan(1.6)
    },
  )

  it('may have another photo’s header where no preview shows whose it is', async () => {
    const photo = writePhoto(drawPicture(...SIZE, 3), PLAIN)
    const { report } = await repairPhoto(withStep(photo, 3 * stepOf(photo)), 'jpg')
    expect(codes(report)).toEqual(['metadata', 'orientation', 'quantisation'])
  })

  it('has those of a sample that go with what is known of it', async () => {
    const photo = photoOf(3, 3, 95)
    const sample = photoOf(5, 5, 95)
    const { report, bytes } = await repairPhoto(headOf(photoOf(11, 11, 60), photo), 'jpg', sample)
    expect(readPhoto(bytes)?.quantisation).toEqual(readPhoto(photo)?.quantisation)
    expect(report.sample?.used).toContain('quantisation tables')
  })

  it.each([
    ['whose preview is of another', photoOf(3, 11)],
    [
      'that is dull, whose preview is of another',
      writePhoto(dull(3), { ...PLAIN, thumbnail: photoOf(11, 11) }),
    ],
    ['that is dull', writePhoto(dull(3), { ...PLAIN, thumbnail: writePhoto(dull(3, 160, 100), PLAIN) })],
  ])('is told from a healthy one %s', async (_, photo) => {
    const { report } = await repairPhoto(photo, 'jpg')
    expect(report.verdict).toBe('healthy')
  })
})

/** A drawn picture that reaches from grey a little way only. */
function dull(seed: number, width: number = SIZE[0], height: number = SIZE[1]) {
  const drawn = drawPicture(width, height, seed)
  return { ...drawn, pixels: drawn.pixels.map((level) => 128 + Math.round((level - 128) / 2)) }
}
