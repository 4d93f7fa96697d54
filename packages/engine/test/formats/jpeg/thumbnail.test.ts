import { expect, it } from 'vitest'
import { isThumbnail } from '../../../src/formats/jpeg/read/thumbnail.ts'

it('a picture is the thumbnail of Exif data that it ends in, not of those that end as it begins', () => {
  const bytes = Buffer.alloc(400)
  bytes.set([0xff, 0xe1, 0, 198, ...Buffer.from('Exif\0\0', 'latin1')])
  expect([isThumbnail(bytes, 100, 200), isThumbnail(bytes, 190, 390)]).toEqual([true, false])
})
