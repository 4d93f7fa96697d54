import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkNamedPaths } from '../src/check/named-paths.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'named-paths-'))
  mkdirSync(join(root, 'src/model'), { recursive: true })
  writeFileSync(join(root, 'src/model/doubt.ts'), '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a document may name files and folders from any folder of the project', () => {
  writeFileSync(join(root, 'README.md'), 'See `src/model/`, `model/doubt.ts`, `doubt.ts` and `model/`.\n')
  expect(checkNamedPaths(root)).toEqual([])
})

test('files and folders that are not there are told with their line', () => {
  writeFileSync(
    join(root, 'README.md'),
    'All is well.\nSee `model/doubts.ts` and `judge/`, and `npm test`.\n',
  )
  expect(checkNamedPaths(root)).toEqual([
    'README.md:2: there is no model/doubts.ts',
    'README.md:2: there is no judge/',
  ])
})

test('a part of a name is no name, and a decision tells of its own day', () => {
  mkdirSync(join(root, 'docs/decisions'), { recursive: true })
  writeFileSync(join(root, 'docs/decisions/0001.md'), 'It was in `gone.ts`.\n')
  writeFileSync(join(root, 'README.md'), 'See `oubt.ts`.\n')
  expect(checkNamedPaths(root)).toEqual(['README.md:1: there is no oubt.ts'])
})
