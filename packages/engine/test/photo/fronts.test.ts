import { expect, it } from 'vitest'
import { BLOCK_COEFFICIENTS } from '../../src/codecs/jpeg/mcu-layout.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../testing/photos/repair-photo.ts'
import { type ByteRange, survivingMcus } from '../../testing/photos/survivors.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

/** Places at which bytes are lost, and how many at each. */
const SPOTS = 12
const LOST_BYTES = 200
/** MCUs that no lost byte is of and that are not read as they were, at most: one at each place. */
const MOST_WRONG = SPOTS

it('MCUs right behind lost bytes are read as they were', async () => {
  const bytes = writePhoto(drawPicture(640, 400, 8), { sampling: [2, 2], quality: 92, interval: 0 })
  const original = readPhoto(bytes)
  if (!original) throw new Error('the drawn photo cannot be read')
  const { layout, start, end } = original
  const damaged = bytes.slice()
  const hits = Array.from({ length: SPOTS }, (_, i): ByteRange => {
    const from = Math.floor(start + ((i + 0.5) * (end - start)) / SPOTS)
    damaged.fill(0, from, from + LOST_BYTES)
    return [from, from + LOST_BYTES]
  })
  const repaired = readPhoto((await repairPhoto(damaged, 'jpg')).bytes)
  if (!repaired) throw new Error('the repaired photo cannot be read')
  let wrong = 0
  survivingMcus(bytes, hits).forEach((survives, mcu) => {
    if (survives === 0) return
    for (let i = mcu * layout.mcuLength; i < (mcu + 1) * layout.mcuLength; i++) {
      if (i % BLOCK_COEFFICIENTS === 0 || repaired.coefficients[i] === original.coefficients[i]) continue
      wrong++
      break
    }
  })
  expect(wrong).toBeLessThanOrEqual(MOST_WRONG)
})
