import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMAND, Folder, mendframe, ROOT, start } from './mendframe.ts'

const VERSION = /^mendframe \d+\.\d+\.\d+\n$/

test('the command starts from any folder without a Node of ours on the PATH', async () => {
  const outcome = await start(['--version'], { cwd: '/' }).outcome
  expect(outcome).toEqual({ code: 0, stdout: expect.stringMatching(VERSION), stderr: '' })
})

test('the command starts through absolute and relative links, and when a shell is told to run it', async () => {
  using folder = new Folder()
  mkdirSync(folder.file('a b'))
  symlinkSync(COMMAND, folder.file('absolute'))
  symlinkSync('../absolute', folder.file('a b/relative'))
  const byLink = await start(['--version'], { command: folder.file('a b/relative') }).outcome
  const byShell = await start(['mendframe', '--version'], { command: 'sh', cwd: join(ROOT, 'bin') }).outcome
  const onPath = await start(['-c', 'absolute --version'], {
    command: 'sh',
    env: { PATH: `${folder.path}:/usr/bin:/bin` },
  }).outcome
  for (const outcome of [byLink, byShell, onPath]) expect(outcome.stdout).toMatch(VERSION)
})

test('without its dependencies the command says how to install them', async () => {
  using folder = new Folder()
  cpSync(join(ROOT, 'bin'), folder.file('new clone/bin'), { recursive: true })
  const outcome = await start(['--version'], { command: folder.file('new clone/bin/mendframe') }).outcome
  expect(outcome.code).toBe(1)
  expect(outcome.stderr).toMatch(
    /^mendframe: its dependencies are not installed: run 'npm ci' in .*new clone\n$/,
  )
})

test('an unknown command, an unknown option and a missing output are wrong usage, each in one line', async () => {
  for (const args of [
    ['mend'],
    ['repair', 'a', '--outptu', 'b'],
    ['repair', 'a'],
    ['repair'],
    ['diagnose'],
  ]) {
    const outcome = await mendframe(...args)
    expect(outcome.code, args.join(' ')).toBe(2)
    expect(outcome.stderr, args.join(' ')).toMatch(/^mendframe: [^\n]+\n$/)
    expect(outcome.stdout).toBe('')
  }
})

test('help names every command and every exit code', async () => {
  const all = await mendframe('--help')
  const repair = await mendframe('repair', '--help')
  expect([all.code, repair.code]).toEqual([0, 0])
  for (const name of ['repair', 'diagnose']) expect(all.stdout).toContain(name)
  for (const code of [0, 1, 2, 3, 4, 5]) expect(repair.stdout).toMatch(new RegExp(`\\b${code}  `))
})
