import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { filesOf } from '../src/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lists files as they are named, and those of folders in order, as far as their path contains a text', () => {
  mkdirSync(join(folder, 'films'))
  const [a, b, c] = ['a.mp4', 'films/b.mov', 'c.txt'].map((name) => join(folder, name))
  for (const path of [c, b, a]) writeFileSync(path, '')
  expect(filesOf([folder], '')).toEqual([a, c, b])
  expect(filesOf([c, join(folder, 'films')], '')).toEqual([c, b])
  expect(filesOf([folder], '.mov')).toEqual([b])
})
