import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { decodeHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record, recordElsewhere } from './films.ts'
import { Folder, mendframe } from './mendframe.ts'

const films = new Folder()
const original = films.file('original.mp4')
const damaged = films.file('damaged.mp4')
const silent = films.file('silent.mp4')

beforeAll(async () => {
  await Promise.all([record(original, 1), recordElsewhere(silent)])
  const [video] = await decodeHashes(original, { frames: false })
  const { position, size } = video?.packets[40] ?? { position: 0, size: 0 }
  const bytes = readFileSync(original)
  bytes.fill(0, position + (size >> 2), position + size)
  writeFileSync(damaged, bytes)
})
afterAll(() => films[Symbol.dispose]())

function hash(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

test('asked for, damaged pictures are concealed after the repair, named in summary and report', async () => {
  using folder = new Folder()
  const plain = await mendframe('repair', damaged, '--output', folder.file('plain.mp4'))
  const args = ['--output', folder.file('out.mp4'), '--report', folder.file('r.json'), '--enhance', 'conceal']
  const outcome = await mendframe('repair', damaged, ...args)
  expect(outcome.stderr).toBe('')
  expect(outcome.code).toBe(plain.code)
  expect(outcome.stdout).toMatch(/conceal: \d+ pictures? encoded anew with the damage concealed/)
  const report = JSON.parse(readFileSync(folder.file('r.json'), 'utf8'))
  expect(report.enhancements).toHaveLength(1)
  const [{ outcome: done, pictures, ranges }] = report.enhancements
  expect([done, ranges.length]).toEqual(['applied', 1])
  expect(report.output.size).toBe(readFileSync(folder.file('out.mp4')).length)
  const [before] = await decodeHashes(folder.file('plain.mp4'))
  const [after] = await decodeHashes(folder.file('out.mp4'))
  const changed = before?.packets.filter(({ md5 }) => !after?.packets.some((other) => other.md5 === md5))
  expect(changed).toHaveLength(pictures)
  expect(after?.frames.map(({ pts }) => pts)).toEqual(
    before?.packets.map(({ pts }) => pts ?? 0).sort((a, b) => a - b),
  )
  expect(plain.stdout).not.toMatch(/conceal/)
  expect(folder.names()).toEqual(['out.mp4', 'plain.mp4', 'r.json'])
})

test('a healthy film that was improved is not called a copy, and the exit code says that it was changed', async () => {
  using folder = new Folder()
  const output = folder.file('out.mp4')
  const outcome = await mendframe('repair', original, '--output', output, '--enhance', 'deflicker,conceal')
  expect(outcome.stdout).toMatch(
    /Nothing is wrong with the file\. [^\n]*out\.mp4 \([^)]*\) is changed as asked/,
  )
  expect(outcome.stdout).not.toMatch(/copy/)
  expect(outcome.stdout).toMatch(/deflicker: 60 pictures evened out in brightness/)
  expect(outcome.stdout).toMatch(/conceal: nothing to change/)
  expect(outcome.code).toBe(0)
  expect(hash(output)).not.toBe(hash(original))
})

test('an enhancement that cannot be done leaves the plain result in place, says so, and the exit code stays', async () => {
  using folder = new Folder()
  const output = folder.file('out.mp4')
  const args = ['--output', output, '--report', folder.file('r.json'), '--enhance', 'retime']
  const outcome = await mendframe('repair', silent, ...args)
  expect(outcome.code).toBe(4)
  expect(outcome.stdout).toMatch(/retime: not done, [^\n]*no sound/)
  expect(hash(output)).toBe(hash(silent))
  expect(JSON.parse(readFileSync(folder.file('r.json'), 'utf8')).enhancements).toMatchObject([
    { operation: 'retime', outcome: 'failed', pictures: 0 },
  ])
  expect(folder.names()).toEqual(['out.mp4', 'r.json'])
})

test('an unknown enhancement is wrong usage', async () => {
  using folder = new Folder()
  const outcome = await mendframe(
    'repair',
    damaged,
    '--output',
    folder.file('o'),
    '--enhance',
    'conceal,magic',
  )
  expect(outcome.code).toBe(2)
  expect(outcome.stderr).toMatch(/Allowed are conceal, deflicker, sharpen, retime/)
  expect(folder.names()).toEqual([])
})
