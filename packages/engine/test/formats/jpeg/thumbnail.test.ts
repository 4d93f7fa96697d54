import { describe, expect, it } from 'vitest'
import { isThumbnail } from '../../../src/formats/jpeg/read/thumbnail.ts'
import { APP11 } from '../../../src/syntax/jpeg-markers/markers.ts'
import { writeSegment } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

it('a picture is the thumbnail of Exif data that it ends in, not of those that end as it begins', () => {
  const bytes = Buffer.alloc(400)
  bytes.set([0xff, 0xe1, 0, 198, ...Buffer.from('Exif\0\0', 'latin1')])
  expect([isThumbnail(bytes, 100, 200), isThumbnail(bytes, 190, 390)]).toEqual([true, false])
})

describe('a photo that is signed, in whose boxes a picture as large as it is stands', () => {
  const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
  const photo = writePhoto(drawPicture(320, 240, 5), PLAIN)
  const thumbnail = writePhoto(drawPicture(160, 120, 6), PLAIN)
  const embedded = writePhoto(drawPicture(320, 240, 6), { ...PLAIN, thumbnail })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(embedded.length + 8)
  const stored = Buffer.concat([length, Buffer.from('bidb', 'latin1'), embedded])
  // one box in two segments, the second of which begins within the picture's data
  const half = stored.length >> 1
  const segments = [stored.subarray(0, half), stored.subarray(half)].map((part, i) =>
    writeSegment(APP11, [0x4a, 0x50, 2, 0x11, 0, 0, 0, i + 1, ...part]),
  )
  const signed = Uint8Array.from(Buffer.concat([photo.subarray(0, 2), ...segments, photo.subarray(2)]))

  it('comes back where bytes came into the boxes, not the picture in them', async () => {
    for (const at of [100, half + 200]) {
      const longer = Uint8Array.from([
        ...signed.subarray(0, at),
        ...Array(37).fill(0x5a),
        ...signed.subarray(at),
      ])
      const { bytes, doubts } = await repairPhoto(longer, 'jpg')
      expect(readPhoto(bytes)?.coefficients, `from ${at}`).toEqual(readPhoto(photo)?.coefficients)
      expect(doubts, `from ${at}`).toEqual(['orientation', 'metadata'])
    }
  })

  it('is not called repaired where it is gone and that picture is left', async () => {
    const whole = Uint8Array.from(
      Buffer.concat([
        photo.subarray(0, 2),
        writeSegment(APP11, [0x4a, 0x50, 2, 0x11, 0, 0, 0, 1, ...stored]),
      ]),
    )
    for (const more of [0, 900]) {
      const { report, doubts } = await repairPhoto(
        Uint8Array.from(Buffer.concat([whole, Buffer.alloc(more, 0x20)])),
        'jpg',
      )
      expect(report.verdict).toBe('partial')
      expect(doubts).toContain('preview-only')
    }
  })
})
