import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RendererError } from '@mendframe/renderer'
import { AbortedError, type Report, type RunRepairRequest } from '@mendframe/runner'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEnhance, type Enhancement, type EnhanceTools } from '../src/enhancements.ts'
import { reportOf } from './support/pretended-tools.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enhance-'))
  path = join(folder, 'film.mp4')
  writeFileSync(path, 'film')
})
afterEach(() => rm(folder, { recursive: true }))

const CHANGED = [
  { operation: 'sharpen', start: 1, end: 2, pictures: 3 },
  { operation: 'sharpen', start: 4, end: 5, pictures: 4 },
] as const
type Verification = Awaited<ReturnType<NonNullable<RunRepairRequest['verify']>>>
const CHECKED: Verification = { decodable: true, duration: 1, tracks: [] }

/** Tools that write the names of what was done behind one another; `says` may throw, or say what came of one. */
function toolsThat(says: (name: string) => object | undefined = () => undefined, verified = CHECKED) {
  const asked: { operations: object; [name: string]: unknown }[] = []
  const checks: unknown[] = []
  const tools: EnhanceTools = {
    enhance: async ({ input, output, operations, onProgress, signal: _, ...bounds }) => {
      const [name = ''] = Object.keys(operations)
      asked.push({ operations, ...bounds })
      writeFileSync(output, `${readFileSync(input, 'utf8')} ${name}`)
      onProgress?.(0.5)
      return { changed: CHANGED, left: [], ...says(name) }
    },
    verify: async (output, bounds) => {
      checks.push([readFileSync(output, 'utf8'), bounds?.timeoutSeconds])
      return verified
    },
  }
  return { asked, checks, load: async () => tools }
}

const ALL: readonly Enhancement[] = ['retime', 'sharpen', 'conceal', 'deflicker']
const LIMITS = { timeoutSeconds: 7, memoryBytes: 9, check: true }

test('enhancements are done in their own order, each on the one before, and only the last file is kept', async () => {
  const { asked, checks, load } = toolsThat()
  const told: number[] = []
  const ranges = [
    { start: 1, end: 2, state: 'damaged' },
    { start: 3, end: 4, state: 'lost' },
  ]
  const track = { kind: 'video', ranges }
  const report = { ...reportOf('repaired'), tracks: [{ kind: 'audio', ranges }, track] } as unknown as Report
  const done = await createEnhance(ALL, LIMITS, load)(path, report, { onProgress: (part) => told.push(part) })
  expect(asked.map(({ operations }) => operations)).toEqual([
    { conceal: { ranges: [{ start: 1, end: 2 }] } },
    ...[{ deflicker: true }, { sharpen: true }, { retime: {} }],
  ])
  expect(asked[0]).toMatchObject({ timeoutSeconds: 7, memoryBytes: 9 })
  expect(told).toEqual([0.125, 0.375, 0.625, 0.875])
  expect(readFileSync(done.replacement ?? '', 'utf8')).toBe('film conceal deflicker sharpen retime')
  expect((await readdir(folder)).sort()).toEqual(['film.mp4', 'film.mp4.retime'])
  expect(done.report).toMatchObject({ output: { size: 37 }, verification: CHECKED })
  expect(done.report.enhancements?.map(({ operation }) => operation)).toEqual([
    ...['conceal', 'deflicker', 'sharpen', 'retime'],
  ])
  expect(done.report.enhancements?.[1]).toEqual({
    ...{ operation: 'deflicker', outcome: 'applied', pictures: 7 },
    ranges: CHANGED.map(({ start, end }) => ({ start, end })),
  })
  expect(checks.map((check) => check)).toHaveLength(4)
  expect(checks[0]).toEqual(['film conceal', 7])
})

test('one that fails, or whose result does not decode, leaves the file as it was and says why', async () => {
  const failing = toolsThat((name) => {
    if (name === 'sharpen') throw new Error('no room')
    return undefined
  })
  const run = (tools: typeof failing, names: readonly Enhancement[]) =>
    createEnhance(names, LIMITS, tools.load)(path, reportOf('repaired'), {})
  const done = await run(failing, ['deflicker', 'sharpen', 'retime'])
  expect(readFileSync(done.replacement ?? '', 'utf8')).toBe('film deflicker retime')
  expect(done.report.enhancements?.[1]).toEqual({
    ...{ operation: 'sharpen', outcome: 'failed', pictures: 0, ranges: [], reason: 'no room' },
  })
  expect((await readdir(folder)).sort()).toEqual(['film.mp4', 'film.mp4.retime'])
  const black = await run(toolsThat(undefined, { ...CHECKED, decodable: false }), ['sharpen'])
  expect(black).not.toHaveProperty('replacement')
  expect(black.report.enhancements?.[0]).toMatchObject({ outcome: 'failed', reason: /decode/ })
  expect(black.report).not.toHaveProperty('output')
  expect(existsSync(`${path}.sharpen`)).toBe(false)
})

test('where nothing is to be changed it says so, with the places that stay as they are', async () => {
  const left = [{ start: 1, end: 2.5, reason: 'too dark' }]
  const { checks, load } = toolsThat(() => ({ changed: [], left }))
  const done = await createEnhance(['conceal'], LIMITS, load)(path, reportOf('repaired'), {})
  expect(done).not.toHaveProperty('replacement')
  expect(checks).toEqual([])
  expect(done.report.enhancements).toEqual([
    {
      ...{ operation: 'conceal', outcome: 'unneeded', pictures: 0, ranges: [] },
      reason: 'pictures stay as they are from 1.00 s to 2.50 s (too dark)',
    },
  ])
  const unchecked = toolsThat()
  await createEnhance(['sharpen'], { ...LIMITS, check: false }, unchecked.load)(path, reportOf('healthy'), {})
  expect(unchecked.checks).toEqual([])
})

test.each([new AbortedError('stopped'), new RendererError('aborted', 'stopped')])(
  'a wish to stop ends all of it, and nothing is left: %s',
  async (stop) => {
    const { load } = toolsThat((name) => {
      if (name === 'sharpen') throw stop
      return undefined
    })
    const run = createEnhance(['deflicker', 'sharpen'], LIMITS, load)(path, reportOf('repaired'), {})
    await expect(run).rejects.toBe(stop)
    expect(await readdir(folder)).toEqual(['film.mp4'])
  },
)
