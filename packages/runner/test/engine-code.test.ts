import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type EngineCode, engineCode } from '../src/engine-code.ts'
import { sandboxEnvironment, sandboxFlags } from '../src/sandbox.ts'
import { Folder } from './folder.ts'

/** What the engine process does when its parent leaves before it gave any job. */
function startAndLeave({ entry, readable }: EngineCode): { status: number | null; said: string } {
  const run = spawnSync(process.execPath, [...sandboxFlags(readable), entry], {
    env: sandboxEnvironment(),
    input: '',
    encoding: 'utf8',
  })
  return { status: run.status, said: run.stderr }
}

test('the engine is made into one script that needs to read nothing else', async () => {
  using folder = new Folder()
  const code = await engineCode(folder.file('build'))
  expect(code.readable).toEqual([code.entry])
  expect(readdirSync(folder.file('build'))).toHaveLength(1)
  expect(startAndLeave(code)).toEqual({ status: 1, said: '' })
})

test('several may make it at once, and it is made once for the same sources', async () => {
  using folder = new Folder()
  const build = folder.file('build')
  const [first, second] = await Promise.all([engineCode(build), engineCode(build)])
  expect(second).toEqual(first)
  const made = statSync(first.entry).mtimeMs
  await engineCode(build)
  expect(statSync(first.entry).mtimeMs).toBe(made)
  expect(readdirSync(build)).toHaveLength(1)
})

test('scripts of other sources go once nobody can be about to start them', async () => {
  using folder = new Folder()
  const old = folder.file('engine-old.mjs')
  const recent = folder.file('engine-recent.mjs')
  for (const path of [old, recent]) writeFileSync(path, '')
  utimesSync(old, 0, 0)
  await engineCode(folder.path)
  expect(readdirSync(folder.path)).not.toContain('engine-old.mjs')
  expect(readdirSync(folder.path)).toContain('engine-recent.mjs')
})

test('where nothing may be written, the sources themselves run', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('taken'), '')
  const code = await engineCode(folder.file('taken'))
  expect(code.entry).toMatch(/child\.ts$/)
  expect(startAndLeave(code)).toEqual({ status: 1, said: '' })
})
