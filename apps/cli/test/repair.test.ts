import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { decodeHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loseIndex, record, recordElsewhere, recordSilently } from './films.ts'
import { COMMAND, Folder, mendframe, start } from './mendframe.ts'

const films = new Folder()
const original = films.file('original.mp4')
const damaged = films.file('damaged.mp4')
const sample = films.file('sample.mp4')
const other = films.file('other.mp4')

beforeAll(async () => {
  await Promise.all([record(original, 1), record(sample, 2), recordElsewhere(other)])
  loseIndex(original, damaged)
})
afterAll(() => films[Symbol.dispose]())

function hash(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

async function pictures(path: string): Promise<string[]> {
  const streams = await decodeHashes(path)
  return streams.filter(({ kind }) => kind === 'video').flatMap(({ frames }) => frames.map(({ md5 }) => md5))
}

test('a film without its index comes back picture for picture, with a summary and a report', async () => {
  using folder = new Folder()
  const before = [hash(damaged), hash(sample)]
  const args = [
    '--sample',
    sample,
    '--output',
    folder.file('out.mp4'),
    '--report',
    folder.file('report.json'),
  ]
  const outcome = await mendframe('repair', damaged, ...args)
  expect(outcome.stderr).toBe('')
  expect(outcome.code).toBe(0)
  expect(outcome.stdout).toMatch(/^Repaired: .*out\.mp4/)
  expect(outcome.stdout).toMatch(/Checked by decoding/)
  expect(await pictures(folder.file('out.mp4'))).toEqual(await pictures(original))
  const report = JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))
  expect(report).toMatchObject({ verdict: 'repaired', verification: { decodable: true } })
  expect([hash(damaged), hash(sample)]).toEqual(before)
  expect(folder.names()).toEqual(['out.mp4', 'report.json'])
})

test('a film that tells less than a player needs comes back in part, and the summary says what is uncertain', async () => {
  using folder = new Folder()
  const silent = films.file('silent.mov')
  const cut = films.file('silent-cut.mov')
  await recordSilently(silent)
  loseIndex(silent, cut)
  const outcome = await mendframe('repair', cut, '--output', folder.file('out.mov'))
  expect(outcome.code).toBe(3)
  expect(outcome.stdout).toMatch(/^Repaired in part: .*out\.mov/)
  expect(outcome.stdout).toMatch(/\nWhat is uncertain\n {2}\S/)
})

test('without the check by decoding the report has no figures of it', async () => {
  using folder = new Folder()
  const args = [
    '--sample',
    sample,
    '--output',
    folder.file('o'),
    '--report',
    folder.file('r.json'),
    '--no-verify',
  ]
  const outcome = await mendframe('repair', damaged, ...args)
  expect(outcome.code).toBe(0)
  expect(outcome.stdout).toMatch(/Not checked by decoding/)
  expect(JSON.parse(readFileSync(folder.file('r.json'), 'utf8'))).not.toHaveProperty('verification')
})

test('a healthy film is copied byte for byte and ends with 4', async () => {
  using folder = new Folder()
  const outcome = await mendframe('repair', original, '--sample', sample, '--output', folder.file('out.mp4'))
  expect(outcome.stderr).toBe('')
  expect(outcome.code).toBe(4)
  expect(hash(folder.file('out.mp4'))).toBe(hash(original))
})

test('a repaired film is healthy', async () => {
  using folder = new Folder()
  await mendframe('repair', damaged, '--sample', sample, '--output', folder.file('first.mp4'))
  const again = await mendframe('repair', folder.file('first.mp4'), '--output', folder.file('second.mp4'))
  expect(again.code).toBe(4)
  expect(hash(folder.file('second.mp4'))).toBe(hash(folder.file('first.mp4')))
})

test('a file that holds nothing of the sample’s kind, nor of any, ends with 5, one line and no output', async () => {
  using folder = new Folder()
  const noise = folder.file('noise.mp4')
  writeFileSync(noise, createHash('shake256', { outputLength: 200_000 }).update('noise').digest())
  for (const samples of [['--sample', other], []]) {
    const outcome = await mendframe('repair', noise, ...samples, '--output', folder.file('out.mp4'))
    expect(outcome.stderr).toMatch(/^mendframe: not repairable: [^\n]+\n$/)
    expect(outcome.code).toBe(5)
  }
  expect(folder.names()).toEqual(['noise.mp4'])
})

test('an output that outgrows what the system allows ends with 1, one line and no output', async () => {
  using folder = new Folder()
  const limited = 'ulimit -f 64; exec "$@"'
  for (const film of [damaged, original]) {
    const args = ['repair', film, '--sample', sample, '--output', folder.file('out.mp4')]
    const outcome = await start(['-c', limited, 'sh', COMMAND, ...args], { command: 'sh' }).outcome
    expect(outcome.stderr).toMatch(/^mendframe: [^\n]*largest size[^\n]*\n$/)
    expect(outcome.code).toBe(1)
  }
  expect(folder.names()).toEqual([])
})

test('hostile names of damaged file, sample and output are only names', async () => {
  using folder = new Folder()
  const name = `-a b'c"d\n$(id)*.mp4`
  loseIndex(original, folder.file(name))
  const run = start(['repair', '--sample', sample, '--output', `out${name}`, '--', name], {
    cwd: folder.path,
  })
  expect((await run.outcome).code).toBe(0)
  expect(folder.names()).toEqual([name, `out${name}`].sort())
})
