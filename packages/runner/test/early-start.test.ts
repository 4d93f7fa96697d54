import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, startEarly } from '../src/early-start.ts'
import { type EngineCode, engineCode, lastEngineCode } from '../src/engine-code.ts'
import { Folder } from './folder.ts'

/** Starts code, and keeps count of what was started. */
class Starter {
  readonly started: { readonly code: EngineCode; readonly child: ChildProcess }[] = []

  readonly start = (code: EngineCode): ChildProcess => {
    const child = spawn(process.execPath, [code.entry], { stdio: ['pipe', 'ignore', 'ignore'] })
    this.started.push({ code, child })
    return child
  }
}

test('what was made last is started at once, and once where it is still right', async () => {
  using folder = new Folder()
  const build = folder.file('build')
  const code = await engineCode(build)
  const starter = new Starter()
  const child = await startEarly(starter.start, build)
  expect(starter.started).toEqual([{ code, child }])
  await ended(child)
})

test('a process with code of other sources is ended before the right one starts', async () => {
  using folder = new Folder()
  const build = folder.file('build')
  const code = await engineCode(build)
  const other = join(build, 'engine-other')
  mkdirSync(other)
  writeFileSync(join(other, 'start.mjs'), 'setInterval(() => {}, 1000)')
  utimesSync(dirname(code.entry), 1e9, 1e9)
  const starter = new Starter()
  const child = await startEarly(starter.start, build)
  expect(starter.started.map(({ code: { entry } }) => entry)).toEqual([join(other, 'start.mjs'), code.entry])
  expect([starter.started[0]?.child.signalCode, child.signalCode, child.exitCode]).toEqual([
    'SIGKILL',
    null,
    null,
  ])
  child.stdin?.end()
  await once(child, 'exit')
})

test('where nothing was made yet it is made, and started then', async () => {
  using folder = new Folder()
  const build = folder.file('build')
  expect(lastEngineCode(build)).toBeUndefined()
  const starter = new Starter()
  const child = await startEarly(starter.start, build)
  expect(starter.started).toEqual([{ code: lastEngineCode(build), child }])
  await ended(child)
  rmSync(build, { recursive: true })
})
