import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawPicture } from './photos/draw.ts'
import { writePhoto } from './photos/write-photo.ts'

/** Writes the healthy photos that the contract suite damages: node packages/engine/testing/make-photo-fixtures.ts */
const FOLDER = fileURLToPath(new URL('./fixtures/jpeg', import.meta.url))

const scene = drawPicture(208, 152, 5)
const thumbnail = writePhoto(drawPicture(64, 47, 5), { sampling: [2, 1], quality: 60, interval: 0 })
const photos = {
  'baseline-420': writePhoto(scene, {
    sampling: [2, 2],
    quality: 75,
    interval: 0,
    thumbnail,
    orientation: 6,
  }),
  'restart-422': writePhoto(scene, { sampling: [2, 1], quality: 75, interval: 13 }),
  grey: writePhoto(scene, { sampling: undefined, quality: 60, interval: 0 }),
}
for (const [name, bytes] of Object.entries(photos)) writeFileSync(join(FOLDER, `${name}.jpg`), bytes)
