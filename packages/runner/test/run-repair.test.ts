import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AbortedError, EnvironmentError, UsageError } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { EngineCrashError, EngineLimitError, runDiagnose, runRepair } from '../src/index.ts'
import { engineChild, engineChildren } from './engine-child.ts'
import { Folder } from './folder.ts'

/** A healthy file. */
const PICTURE = new URL('../../engine/testing/fixtures/png/palette.png', import.meta.url)
const TEXT = 'Dear diary, this is no film.\n'.repeat(200)

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('an empty file is not repairable, and the report says why', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('empty.mp4'), '')
  const report = await runRepair({ damaged: folder.file('empty.mp4'), output: folder.file('out.mp4') })
  expect(report).toMatchObject({ verdict: 'unrepairable', reason: expect.stringMatching(/empty/) })
  expect(folder.names()).toEqual(['empty.mp4'])
})

test('a text that calls itself a film is not repairable, stays as it is and leaves no output', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('diary.mp4'), TEXT)
  const report = await runRepair({ damaged: folder.file('diary.mp4'), output: folder.file('out.mp4') })
  expect(report.verdict).toBe('unrepairable')
  expect(report.reason).toMatch(/\w/)
  expect(readFileSync(folder.file('diary.mp4'), 'utf8')).toBe(TEXT)
  expect(folder.names()).toEqual(['diary.mp4'])
})

test('a large file with a sample is repaired by a format that knows nothing of copying ahead', async () => {
  using folder = new Folder()
  const whole = readFileSync(PICTURE)
  const damaged = Buffer.from(whole)
  // a letter of the palette's type
  damaged[whole.indexOf('PLTE')] ^= 1
  writeFileSync(folder.file('damaged.png'), damaged)
  truncateSync(folder.file('damaged.png'), 130 * 1024 * 1024)
  const { verdict, output } = await runRepair({
    damaged: folder.file('damaged.png'),
    sample: fileURLToPath(PICTURE),
    output: folder.file('out.png'),
    durable: false,
  })
  expect({ verdict, output }).toEqual({ verdict: 'repaired', output: { size: 130 * 1024 * 1024 } })
  const result = readFileSync(folder.file('out.png'))
  expect(result.subarray(0, whole.length).equals(whole)).toBe(true)
  expect(result.subarray(whole.length).equals(Buffer.alloc(result.length - whole.length))).toBe(true)
})

test('the report of an unrepairable file is still told, and the output still does not appear', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('diary.mp4'), TEXT)
  const told: string[] = []
  await runRepair({
    damaged: folder.file('diary.mp4'),
    output: folder.file('out.mp4'),
    onReport: (report) => {
      told.push(report.verdict)
    },
  })
  expect(told).toEqual(['unrepairable'])
})

test('no output appears when the report is refused, be it after a while', async () => {
  using folder = new Folder()
  copyFileSync(PICTURE, folder.file('whole.png'))
  const refused = runRepair({
    damaged: folder.file('whole.png'),
    output: folder.file('out.png'),
    onReport: async ({ verdict }) => {
      await Promise.resolve()
      throw new Error(`no room for what is ${verdict}`)
    },
  })
  expect(String(await failure(refused))).toMatch(/no room for what is healthy/)
  expect(folder.names()).toEqual(['whole.png'])
})

test('the damaged file is refused as its own sample, under another name and as a copy', async () => {
  using folder = new Folder()
  const damaged = folder.file('a.mp4')
  writeFileSync(damaged, TEXT)
  linkSync(damaged, folder.file('hard.mp4'))
  symlinkSync(damaged, folder.file('soft.mp4'))
  copyFileSync(damaged, folder.file('copy.mp4'))
  const before = folder.names()
  for (const sample of ['a.mp4', 'hard.mp4', 'soft.mp4', 'copy.mp4']) {
    const error = await failure(
      runRepair({ damaged, sample: folder.file(sample), output: folder.file('out.mp4') }),
    )
    expect(error, sample).toBeInstanceOf(UsageError)
    expect(String(error), sample).toMatch(/sample/)
  }
  expect(folder.names()).toEqual(before)
})

test('an empty sample is refused', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  writeFileSync(folder.file('s.mp4'), '')
  const request = {
    damaged: folder.file('a.mp4'),
    sample: folder.file('s.mp4'),
    output: folder.file('out.mp4'),
  }
  expect(await failure(runRepair(request))).toBeInstanceOf(UsageError)
})

test('missing files, folders and pipes are faults of the environment and never block', async () => {
  using folder = new Folder()
  mkdirSync(folder.file('folder.mp4'))
  spawnSync('mkfifo', [folder.file('pipe.mp4')])
  for (const name of ['missing.mp4', 'folder.mp4', 'pipe.mp4']) {
    const repair = runRepair({ damaged: folder.file(name), output: folder.file('out.mp4') })
    expect(await failure(repair), name).toBeInstanceOf(EnvironmentError)
    expect(await failure(runDiagnose({ file: folder.file(name) })), name).toBeInstanceOf(EnvironmentError)
  }
  expect(folder.names()).toEqual(['folder.mp4', 'pipe.mp4'])
})

test('names with blanks, quotes, wildcards, line ends and leading dashes are only names', async () => {
  using folder = new Folder()
  for (const name of [
    `a b'c"d.mp4`,
    '-rf.mp4',
    '*,?.mp4',
    'line\nend.mp4',
    '日本 ü.mp4',
    '$(id).mp4',
    '--eval',
  ]) {
    writeFileSync(folder.file(name), TEXT)
    const report = await runRepair({ damaged: folder.file(name), output: folder.file(`out ${name}`) })
    expect(report.damaged.size, name).toBe(TEXT.length)
  }
})

test('a stop before the start and a stop in the middle leave no output and no process', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const request = { damaged: folder.file('a.mp4'), output: folder.file('out.mp4') }
  expect(await failure(runRepair({ ...request, signal: AbortSignal.abort() }))).toBeInstanceOf(AbortedError)
  const controller = new AbortController()
  const stopped = failure(runRepair({ ...request, signal: controller.signal }))
  await engineChild()
  controller.abort()
  expect(await stopped).toBeInstanceOf(AbortedError)
  expect(folder.names()).toEqual(['a.mp4'])
  expect(engineChildren()).toEqual([])
})

test('an engine process killed in the middle is an error of its own and leaves no output', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const killed = failure(runRepair({ damaged: folder.file('a.mp4'), output: folder.file('out.mp4') }))
  process.kill(await engineChild(), 'SIGKILL')
  const error = await killed
  expect(error).toBeInstanceOf(EngineCrashError)
  expect(String(error)).toMatch(/SIGKILL/)
  expect(folder.names()).toEqual(['a.mp4'])
})

test('more time or memory than allowed ends the process and says which', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  const request = { damaged: folder.file('a.mp4'), output: folder.file('out.mp4') }
  // No process starts within a thousandth of a second, and none fits into eight mebibytes.
  const { signal } = new AbortController()
  expect(await failure(runRepair({ ...request, signal, timeoutSeconds: 0.001 }))).toMatchObject({
    limit: 'time',
  })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const tight = await failure(runRepair({ ...request, memoryMb: 8 }))
  expect(tight).toBeInstanceOf(EngineLimitError)
  expect(tight).toMatchObject({ limit: 'memory' })
  expect(folder.names()).toEqual(['a.mp4'])
  expect(engineChildren()).toEqual([])
})

test('the most memory the process held is told', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.mp4'), TEXT)
  let peak = 0
  await runDiagnose({
    file: folder.file('a.mp4'),
    onUsage: ({ peakBytes }) => {
      peak = peakBytes
    },
  })
  expect(peak).toBeGreaterThan(10 * 2 ** 20)
})

test('a diagnosis changes nothing and names no format for a text', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('diary.mp4'), TEXT)
  const hash = (): string =>
    createHash('sha256')
      .update(readFileSync(folder.file('diary.mp4')))
      .digest('hex')
  const before = hash()
  const diagnosis = await runDiagnose({ file: folder.file('diary.mp4') })
  expect(diagnosis).toMatchObject({ healthy: false, size: TEXT.length })
  expect(hash()).toBe(before)
  expect(folder.names()).toEqual(['diary.mp4'])
})
