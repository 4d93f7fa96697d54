import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { engineOf, Folder, mendframe, type Outcome, start } from './mendframe.ts'

const TEXT = 'Dear diary, this is no film.\n'.repeat(200)

function expectOneLine(outcome: Outcome, code: number, line: RegExp): void {
  expect(outcome.stderr).toMatch(/^mendframe: [^\n]+\n$/)
  expect(outcome.stderr).toMatch(line)
  expect(outcome.code).toBe(code)
  expect(outcome.stdout).toBe('')
}

test('an empty file ends with 5', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), '')
  expectOneLine(await mendframe('repair', folder.file('a.mp4'), '--output', folder.file('o.mp4')), 5, /empty/)
  expect(folder.names()).toEqual(['a.mp4'])
})

test('a text named .mp4 ends with 5, and the report tells why', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const args = [
    'repair',
    folder.file('a.mp4'),
    '--output',
    folder.file('o.mp4'),
    '--report',
    folder.file('r.json'),
  ]
  expectOneLine(await mendframe(...args), 5, /not repairable/)
  expect(folder.names()).toEqual(['a.mp4', 'r.json'])
  expect(readFileSync(folder.file('a.mp4'), 'utf8')).toBe(TEXT)
  expect(JSON.parse(readFileSync(folder.file('r.json'), 'utf8'))).toMatchObject({ verdict: 'unrepairable' })
})

test('what the system refuses ends with 1: a missing file, a folder, an output in a missing folder', async () => {
  using folder = new Folder()
  mkdirSync(folder.file('d'))
  writeFileSync(folder.file('a.mp4'), TEXT)
  const output = ['--output', folder.file('o.mp4')]
  expectOneLine(await mendframe('repair', folder.file('missing.mp4'), ...output), 1, /no such file/)
  expectOneLine(await mendframe('repair', folder.file('d'), ...output), 1, /folder/)
  expectOneLine(await mendframe('diagnose', folder.file('missing.mp4')), 1, /no such file/)
  const elsewhere = ['--output', folder.file('missing/o.mp4')]
  expectOneLine(await mendframe('repair', folder.file('a.mp4'), ...elsewhere), 1, /no such file or folder/)
  const report = ['--report', folder.file('missing/r.json')]
  expectOneLine(
    await mendframe('repair', folder.file('a.mp4'), ...output, ...report),
    1,
    /no such file or folder/,
  )
  expect(folder.names()).toEqual(['a.mp4', 'd'])
})

test('what contradicts itself ends with 2: a sample that is the damaged file, an output that is an input or taken', async () => {
  using folder = new Folder()
  const damaged = folder.file('a.mp4')
  writeFileSync(damaged, TEXT)
  copyFileSync(damaged, folder.file('copy.mp4'))
  writeFileSync(folder.file('kept.mp4'), 'dear')
  const output = ['--output', folder.file('o.mp4')]
  expectOneLine(await mendframe('repair', damaged, '--sample', damaged, ...output), 2, /damaged file itself/)
  expectOneLine(await mendframe('repair', damaged, '--sample', folder.file('copy.mp4'), ...output), 2, /copy/)
  expectOneLine(await mendframe('repair', damaged, '--output', damaged, '--force'), 2, /one of the inputs/)
  expectOneLine(await mendframe('repair', damaged, '--output', folder.file('kept.mp4')), 2, /exists already/)
  expectOneLine(
    await mendframe('repair', damaged, ...output, '--report', damaged, '--force'),
    2,
    /name of its own/,
  )
  expectOneLine(
    await mendframe('repair', damaged, ...output, '--report', folder.file('kept.mp4')),
    2,
    /exists already/,
  )
  expectOneLine(
    await mendframe('repair', damaged, ...output, '--damaged-frames', 'mend'),
    2,
    /auto, keep, drop/,
  )
  expectOneLine(await mendframe('repair', damaged, ...output, '--memory', 'much'), 2, /number above 0/)
  expect(folder.names()).toEqual(['a.mp4', 'copy.mp4', 'kept.mp4'])
  expect(readFileSync(folder.file('kept.mp4'), 'utf8')).toBe('dear')
  expect(readFileSync(damaged, 'utf8')).toBe(TEXT)
})

test('names with blanks, quotes, line ends and leading dashes work and are shown on one line', async () => {
  using folder = new Folder()
  for (const name of [`it's "a" film.mp4`, '-o.mp4', 'two\nlines.mp4', 'ü 日本.mp4', '$(id) * ;.mp4']) {
    writeFileSync(folder.file(name), TEXT)
    const run = start(['repair', '--output', `out ${name}`, '--', name], { cwd: folder.path })
    expectOneLine(await run.outcome, 5, /not repairable/)
    const missing = start(['diagnose', '--', `missing ${name}`], { cwd: folder.path })
    expectOneLine(await missing.outcome, 1, /no such file/)
  }
})

test('a diagnosis as JSON is nothing but JSON', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const outcome = await mendframe('diagnose', folder.file('a.mp4'), '--json')
  expect(outcome.code).toBe(0)
  expect(outcome.stderr).toBe('')
  expect(JSON.parse(outcome.stdout)).toMatchObject({ healthy: false, size: TEXT.length })
})

test('Ctrl-C and a polite kill end with their own codes and leave no file and no process', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const run = start(['repair', folder.file('a.mp4'), '--output', folder.file('o.mp4')])
    const engine = await engineOf(run)
    run.process.kill(signal)
    expectOneLine(await run.outcome, code, /stopped/)
    expect(() => process.kill(engine, 0)).toThrow()
    expect(folder.names()).toEqual(['a.mp4'])
  }
})

test('an engine process that somebody kills ends with 1 and leaves no file', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const run = start(['repair', folder.file('a.mp4'), '--output', folder.file('o.mp4')])
  process.kill(await engineOf(run), 'SIGKILL')
  expectOneLine(await run.outcome, 1, /killed/)
  expect(folder.names()).toEqual(['a.mp4'])
})
