import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
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

test('the engine is made into scripts of one folder that need to read nothing else', async () => {
  using folder = new Folder()
  const code = await engineCode(folder.file('build'))
  expect(code.readable).toEqual([dirname(code.entry)])
  expect(readdirSync(folder.file('build'))).toHaveLength(1)
  expect(startAndLeave(code)).toEqual({ status: 1, said: '' })
})

test('the runtime takes what it once compiled', async () => {
  using folder = new Folder()
  const { readable } = await engineCode(folder.file('build'))
  const [code = ''] = readable
  const script = new Script(readFileSync(join(code, 'engine.js'), 'utf8'), {
    cachedData: readFileSync(join(code, 'engine.compiled')),
  })
  expect(script.cachedDataRejected).toBe(false)
})

test('the script is of one byte a character, as it is read when it starts', async () => {
  using folder = new Folder()
  const { readable } = await engineCode(folder.file('build'))
  const [code = ''] = readable
  const script = readFileSync(join(code, 'engine.js'))
  expect(script.every((byte) => byte < 0x80)).toBe(true)
  // a paragraph sign of a standard's clause
  expect(script.includes('\\u00a7')).toBe(true)
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
  const old = folder.file('engine-old')
  const recent = folder.file('engine-recent')
  for (const path of [old, recent]) {
    mkdirSync(path)
    writeFileSync(join(path, 'start.mjs'), '')
  }
  utimesSync(old, 0, 0)
  await engineCode(folder.path)
  expect(readdirSync(folder.path)).not.toContain('engine-old')
  expect(readdirSync(folder.path)).toContain('engine-recent')
})

test('where nothing may be written, the sources themselves run', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('taken'), '')
  const code = await engineCode(folder.file('taken'))
  expect(code.entry).toMatch(/child\.ts$/)
  expect(startAndLeave(code)).toEqual({ status: 1, said: '' })
})
