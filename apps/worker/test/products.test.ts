import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Attempt, Context } from '@mendframe/backend'
import { RendererError } from '@mendframe/renderer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boundedReport } from '../src/bounded-report.ts'
import type { MediaTools } from '../src/media-tools.ts'
import { makePhotoPreviews } from '../src/photo-previews.ts'
import { makePreviews } from '../src/previews.ts'
import { discardEarlier, ProductStore } from '../src/store-products.ts'
import { pretendedTools, reportOf } from './support/pretended-tools.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'products-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A store in memory, and whatever else the making of previews asks of its surroundings. */
function surroundings(stored = new Map<string, string>()) {
  const storage = {
    storeFile: async (key: string, path: string, type: string) =>
      stored.set(key, `${type} ${await readFile(path, 'utf8')}`),
    remove: async (key: string) => stored.delete(key),
    list: async function* (prefix: string) {
      for (const key of [...stored.keys()]) if (key.startsWith(prefix)) yield { key }
    },
  }
  const log = { warn: () => undefined, info: () => undefined }
  const context = { storage, log, config: { worker: { timeoutSeconds: 60 } } } as unknown as Context
  return { stored, context }
}

const attemptOf = (attempt: number) => ({ repair: { id: 'r', attempt } }) as Attempt

/** Tools that write down what was asked of them; those of `failing` fail so. */
function tools(failing: Readonly<Record<string, Error>> = {}) {
  const asked: Record<string, unknown>[] = []
  const pretended = pretendedTools(async () => {})
  const watched = Object.entries(pretended).map(([name, tool]) => [
    name,
    async (request: { output: string; signal?: unknown }) => {
      const { signal: _, ...rest } = request
      asked.push({ tool: name, ...rest, output: basename(request.output) })
      const failure = failing[name] ?? failing[basename(request.output)]
      if (failure) throw failure
      return (tool as (request: unknown) => Promise<unknown>)(request)
    },
  ])
  return { asked, tools: Object.fromEntries(watched) as unknown as MediaTools }
}

const BLIND = new RendererError('input', 'no picture decodes')

function listener() {
  const told: number[] = []
  const onProgress = (fraction: number) => told.push(fraction)
  return { told, options: { signal: new AbortController().signal, onProgress, memoryBytes: 9 } }
}

describe('previews of a film', () => {
  const make = (t: MediaTools, extension: string, options = listener().options) =>
    makePreviews(surroundings().context, t, 'film', folder, extension, options)

  test('are a tenth of it, in its own form where browsers do not play that, and two stills', async () => {
    const { asked, tools: watched } = tools()
    const { told, options } = listener()
    expect(await make(watched, 'avi', options)).toEqual({
      preview: join(folder, 'preview.avi'),
      playable: join(folder, 'playable.mp4'),
      still: join(folder, 'still.jpg'),
      still2: join(folder, 'still2.jpg'),
    })
    const bounds = { input: 'film', fraction: 0.1, maxSeconds: 900, timeoutSeconds: 60 }
    expect(asked).toEqual([
      { tool: 'preview', output: 'playable.mp4', ...bounds, onProgress: expect.any(Function) },
      { tool: 'extractSegment', output: 'preview.avi', ...bounds },
      { tool: 'stillImage', output: 'still.jpg', input: 'film' },
      { tool: 'stillImage', output: 'still2.jpg', input: 'film', atSeconds: 0.6 },
    ])
    const report = asked[0]?.onProgress as (fraction: number) => void
    report(0.5)
    expect(told).toEqual([0.7, 0.9, 1, 0.35])
  })

  test('that browsers play are for download, too', async () => {
    const { asked, tools: watched } = tools()
    expect((await make(watched, 'mp4')).preview).toBe(join(folder, 'playable.mp4'))
    expect(asked.map(({ tool }) => tool)).not.toContain('extractSegment')
  })

  test('are left out one by one where they cannot be made', async () => {
    expect(Object.keys(await make(tools({ extractSegment: BLIND }).tools, 'avi')).sort()).toEqual([
      ...['playable', 'preview', 'still', 'still2'],
    ])
    expect(Object.keys(await make(tools({ preview: BLIND }).tools, 'mp4')).sort()).toEqual([
      'still',
      'still2',
    ])
    expect(Object.keys(await make(tools({ 'still.jpg': BLIND }).tools, 'mp4')).sort()).toEqual([
      ...['playable', 'preview', 'still2'],
    ])
    expect(
      await make(tools({ preview: BLIND, stillImage: BLIND, extractSegment: BLIND }).tools, 'avi'),
    ).toEqual({})
  })

  test.each([new RendererError('aborted', 'stopped'), new Error('the disk broke')])(
    'end with %s',
    async (error) => {
      await expect(make(tools({ preview: error }).tools, 'mp4')).rejects.toBe(error)
    },
  )
})

describe('pictures of a photo', () => {
  const make = (t: MediaTools, extension: string, options = listener().options) =>
    makePhotoPreviews(
      surroundings().context,
      t,
      { damaged: 'before', repaired: 'after', folder, extension },
      options,
    )

  test('are before and after at a page`s size, and the result in full in both forms', async () => {
    const { asked, tools: watched } = tools()
    const { told, options } = listener()
    expect(await make(watched, 'cr2', options)).toEqual({
      still: join(folder, 'after.jpg'),
      still2: join(folder, 'before.jpg'),
      jpeg: join(folder, 'full.jpg'),
      png: join(folder, 'full.png'),
    })
    const bounds = { tool: 'renderPhoto', timeoutSeconds: 60, memoryBytes: 9 }
    expect(asked).toEqual([
      { ...bounds, input: 'after', output: 'after.jpg', format: 'jpeg', longestSide: 2048 },
      { ...bounds, input: 'before', output: 'before.jpg', format: 'jpeg', longestSide: 2048 },
      { ...bounds, input: 'after', output: 'full.jpg', format: 'jpeg' },
      { ...bounds, input: 'after', output: 'full.png', format: 'png' },
    ])
    expect(told).toEqual([0.3, 0.5, 0.7, 1])
  })

  test('that are JPEG files already need no other, and those that show nothing are left out', async () => {
    for (const extension of ['jpg', 'jpeg'])
      expect(Object.keys(await make(tools().tools, extension))).toEqual(['still', 'still2', 'png'])
    expect(Object.keys(await make(tools({ 'before.jpg': BLIND }).tools, 'cr2'))).toEqual([
      'still',
      'jpeg',
      'png',
    ])
    expect(await make(tools({ renderPhoto: BLIND }).tools, 'cr2')).toEqual({})
    const stopped = new RendererError('aborted', 'stopped')
    await expect(make(tools({ renderPhoto: stopped }).tools, 'cr2')).rejects.toBe(stopped)
  })
})

describe('what an attempt stores', () => {
  const file = async (name: string) => {
    await writeFile(join(folder, name), name)
    return join(folder, name)
  }

  test('has keys of its own, by what each file is, and can be taken back', async () => {
    const { stored, context } = surroundings(new Map([['results/r-1.avi', 'of another attempt']]))
    const store = new ProductStore(context, attemptOf(2))
    const made = {
      preview: await file('p.avi'),
      playable: await file('q.mp4'),
      still: await file('a.jpg'),
      still2: await file('b.jpg'),
      jpeg: await file('c.jpg'),
      png: await file('d.png'),
    }
    const products = await store.store(await file('result'), 'avi', made)
    const keys = Object.entries(products).filter(([name]) => name.endsWith('Key'))
    expect(keys.length).toBe(7)
    expect(products.resultSize).toBe('result'.length)
    const content = Object.fromEntries(keys.map(([name, key]) => [name, stored.get(String(key))]))
    expect(content).toMatchObject({
      resultKey: expect.stringMatching(/result$/),
      previewKey: expect.stringMatching(/p\.avi$/),
      playableKey: 'video/mp4 q.mp4',
      stillKey: 'image/jpeg a.jpg',
      still2Key: 'image/jpeg b.jpg',
      jpegKey: 'image/jpeg c.jpg',
      pngKey: 'image/png d.png',
    })
    await store.discard()
    expect([...stored.keys()]).toEqual(['results/r-1.avi'])
  })

  test('is stored once where the preview is what browsers play, and nothing where nothing was made', async () => {
    const { stored, context } = surroundings()
    const store = new ProductStore(context, attemptOf(1))
    const preview = await file('p.mp4')
    const both = await store.store(await file('result'), 'mp4', { preview, playable: preview })
    expect(both.playableKey).toBe(both.previewKey)
    expect(stored.size).toBe(2)
    expect(Object.keys(await store.store(await file('result'), 'mp4', {}))).toEqual([
      'resultKey',
      'resultSize',
    ])
  })

  test('goes when a later attempt begins, and that of others stays', async () => {
    const left = ['results/r-1.mp4', 'previews/r-1.still.jpg', 'results/s-1.mp4', 'sealed/r-1']
    const { stored, context } = surroundings(new Map(left.map((key) => [key, ''])))
    await discardEarlier(context, attemptOf(1))
    expect(stored.size).toBe(4)
    await discardEarlier(context, attemptOf(2))
    expect([...stored.keys()]).toEqual(['results/s-1.mp4', 'sealed/r-1'])
  })
})

test('a report is cut to what a page can show, and what was left out is counted', () => {
  const range = { start: 0, end: 1, state: 'lost' } as const
  const track = {
    id: 1,
    kind: 'video',
    codec: 'h264',
    recovered: 1,
    damaged: 0,
    lost: 9,
    duration: 1,
  } as const
  const tracks = [2001, 3].map((count) => ({
    ...track,
    times: 'exact' as const,
    ranges: Array(count).fill(range),
  }))
  const finding = { code: 'x', severity: 'info', message: 'x' } as const
  const bounded = boundedReport({
    ...reportOf('partial'),
    kind: 'recording',
    findings: Array(305).fill(finding),
    omittedFindings: 7,
    strategies: Array(101).fill({ name: 'x', outcome: 'x' }),
    tracks,
    enhancements: [
      { operation: 'sharpen', outcome: 'applied', pictures: 1, ranges: Array(2001).fill(range) },
    ],
  } as Parameters<typeof boundedReport>[0])
  expect(bounded.findings.length).toBe(300)
  expect([bounded.omittedFindings, bounded.strategies.length]).toEqual([12, 100])
  expect(bounded.tracks.map(({ ranges, omittedRanges }) => [ranges.length, omittedRanges])).toEqual([
    [2000, 1],
    [3, 0],
  ])
  expect(bounded.enhancements?.[0]?.ranges.length).toBe(2000)
})
