import { readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { furtherPhotoPaths, runRepair } from '../src/index.ts'
import { Folder } from './folder.ts'

const PHOTO = readFileSync(new URL('../../engine/testing/fixtures/jpeg/baseline-420.jpg', import.meta.url))
const OTHER = readFileSync(new URL('../../engine/testing/fixtures/jpeg/restart-422.jpg', import.meta.url))

/** A folder with a file that three photos ran into, the first of which is hit. */
function card(): Folder {
  const folder = new Folder()
  const hit = Buffer.from(PHOTO)
  hit.fill(0, hit.length >> 1, (hit.length >> 1) + 64)
  writeFileSync(folder.file('card.jpg'), Buffer.concat([hit, PHOTO, OTHER]))
  return folder
}

test('photos that follow the first are saved beside the output, byte for byte, where that is asked for', async () => {
  using folder = card()
  const request = { damaged: folder.file('card.jpg'), output: folder.file('out.jpg') }
  const report = await runRepair({ ...request, furtherPhotos: true })
  expect(folder.names()).toEqual(['card.jpg', 'out-2.jpg', 'out-3.jpg', 'out.jpg'])
  expect(furtherPhotoPaths(request.output, report)).toEqual(
    ['out-2.jpg', 'out-3.jpg'].map((n) => folder.file(n)),
  )
  expect(readFileSync(folder.file('out-2.jpg'))).toEqual(PHOTO)
  expect(readFileSync(folder.file('out-3.jpg'))).toEqual(OTHER)
  expect(readFileSync(folder.file('out.jpg')).subarray(-OTHER.length)).toEqual(OTHER)
})

test('nothing is saved beside the output unless it is asked for', async () => {
  using folder = card()
  await runRepair({ damaged: folder.file('card.jpg'), output: folder.file('out.jpg') })
  expect(folder.names()).toEqual(['card.jpg', 'out.jpg'])
})

test('a file that has the name of a further photo is never replaced, and no output appears', async () => {
  using folder = card()
  writeFileSync(folder.file('out-3.jpg'), 'mine')
  const request = { damaged: folder.file('card.jpg'), output: folder.file('out.jpg'), overwrite: true }
  await expect(runRepair({ ...request, furtherPhotos: true })).rejects.toThrow(UsageError)
  expect(folder.names()).toEqual(['card.jpg', 'out-3.jpg'])
  expect(readFileSync(folder.file('out-3.jpg'), 'utf8')).toBe('mine')
})

test('when the report cannot be kept no further photo appears', async () => {
  using folder = card()
  const request = { damaged: folder.file('card.jpg'), output: folder.file('out.jpg'), furtherPhotos: true }
  const onReport = () => Promise.reject(new Error('no room'))
  await expect(runRepair({ ...request, onReport })).rejects.toThrow('no room')
  expect(folder.names()).toEqual(['card.jpg'])
})
