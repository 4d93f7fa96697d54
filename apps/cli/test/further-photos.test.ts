import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Folder, mendframe } from './mendframe.ts'

const PHOTO = readFileSync(
  new URL('../../../packages/engine/testing/fixtures/jpeg/baseline-420.jpg', import.meta.url),
)

test('photos that ran into one file are saved each, and summary and report say where', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('card.jpg'), Buffer.concat([PHOTO, PHOTO, PHOTO]))
  const args = ['--output', folder.file('out.jpg'), '--report', folder.file('report.json')]
  const outcome = await mendframe('repair', folder.file('card.jpg'), ...args)
  expect(outcome.stderr).toBe('')
  expect(outcome.code).toBe(4)
  expect(outcome.stdout).toMatch(
    /\n2 further photos are in it, saved as well as \S+out-2\.jpg to \S+out-3\.jpg\.\n/,
  )
  expect(folder.names()).toEqual(['card.jpg', 'out-2.jpg', 'out-3.jpg', 'out.jpg', 'report.json'])
  for (const name of ['out-2.jpg', 'out-3.jpg']) expect(readFileSync(folder.file(name))).toEqual(PHOTO)
  const report = JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))
  expect(report.furtherPhotos).toEqual([folder.file('out-2.jpg'), folder.file('out-3.jpg')])
  expect(report.pictures[1].place).toEqual({ offset: PHOTO.length, length: PHOTO.length })
})

test('a name that is taken ends with 2, one line and no output, whatever may be replaced', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('card.jpg'), Buffer.concat([PHOTO, PHOTO]))
  writeFileSync(folder.file('out-2.jpg'), 'mine')
  const outcome = await mendframe(
    'repair',
    folder.file('card.jpg'),
    '--output',
    folder.file('out.jpg'),
    '--force',
  )
  expect(outcome.stderr).toMatch(/^mendframe: the output \S+out-2\.jpg exists already\n$/)
  expect(outcome.code).toBe(2)
  expect(folder.names()).toEqual(['card.jpg', 'out-2.jpg'])
})
