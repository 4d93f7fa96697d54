import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserFlowApi } from '../../src/features/repair/flow/browser-flow-api.ts'
import { browserProgress } from '../../src/features/repair/progress/browser-progress.ts'
import { browserUploadPorts, pause } from '../../src/features/repair/upload/browser-ports.ts'
import type { UploadRequest } from '../../src/features/repair/upload/upload-ports.ts'
import { DOWNLOAD, progress, REPORT } from './fakes.ts'

/** What was called, as method, address and body; the answers to come. */
const calls: string[] = []
let answers: unknown[] = []
let online = true
let bearer: string | undefined
const listeners = new Map<string, () => void>()

beforeEach(() => {
  const kept = new Map<string, string>([['token', 'mine']])
  calls.length = 0
  online = true
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('window', {
    location: { href: 'https://mendframe.test/video', pathname: '/video', search: '' },
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  })
  vi.stubGlobal('navigator', {
    get onLine() {
      return online
    },
  })
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    bearer = (headers as Record<string, string> | undefined)?.authorization
    calls.push([method, address, ...(typeof body === 'string' ? [body] : [])].join(' '))
    const answer = answers.shift()
    return answer instanceof Response ? answer : Response.json(answer)
  })
})
afterEach(() => vi.unstubAllGlobals())

const file = {
  ...{ name: 'party.mp4', bytes: 5_000, extension: 'mp4', fileName: 'a.mp4' },
  ...{ timestamp: '1790000000000', uniqueId: 'u' },
}
const done = { success: true }
const signal = new AbortController().signal
const STATUS = '"videocreatedTime":"1790000000000"'

describe('the calls of a repair', () => {
  const api = browserFlowApi('video')

  it.each<[string, unknown, () => Promise<unknown>, string, unknown]>([
    ['uploadCheck', { status: false }, () => api.uploadCheck(), 'POST /api/uploadcheck {}', false],
    [
      'reportSize',
      { ...done, allowed: true },
      () => api.reportSize(7),
      'POST /api/filesize {"fileSize":7}',
      undefined,
    ],
    [
      'recordMetadata',
      { ...done, fileSize: 5_000, uniqueId: 'u' },
      () => api.recordMetadata(file),
      'POST /api/video-metadata {"fileName":"a.mp4","fileExtension":"mp4","timestamp":"1790000000000","originalFileName":"party.mp4","info":""}',
      { ...done, fileSize: 5_000, uniqueId: 'u' },
    ],
    [
      'startRepair',
      { ...done, code: 'c' },
      () => api.startRepair(file, []),
      `POST /api/repair {"videoPath":"a.mp4",${STATUS},"videoName":"party.mp4"}`,
      'c',
    ],
    [
      'startRepair, improved',
      { ...done, code: 'c' },
      () => api.startRepair(file, ['sharpen']),
      `POST /api/repair {"videoPath":"a.mp4",${STATUS},"videoName":"party.mp4","enhancements":["sharpen"]}`,
      'c',
    ],
    [
      'recordStatus',
      done,
      () => api.recordStatus('c', file.timestamp),
      `POST /api/repairstatus {"instancegeneratedD":"c",${STATUS}}`,
      undefined,
    ],
    [
      'captureStatus',
      done,
      () => api.captureStatus(file),
      `POST /api/repairstatuscapture {${STATUS},"repairfilestatus":"Repair_Completed","originalvideoName":"party.mp4","originalvideoSize":5000,"uploadfileExtensionaws":"mp4","email":""}`,
      undefined,
    ],
    [
      'report',
      { ...done, report: REPORT },
      () => api.report(file.timestamp),
      'GET /api/report?time=1790000000000',
      REPORT,
    ],
    [
      'cancel',
      done,
      () => api.cancel(file.timestamp),
      'POST /api/repair/cancel {"timestamp":"1790000000000"}',
      undefined,
    ],
    [
      'remove',
      done,
      () => api.remove(file.timestamp),
      'POST /api/file/delete {"timestamp":"1790000000000"}',
      undefined,
    ],
  ])('%s asks and answers as agreed', async (_, answer, ask, asked, told) => {
    answers = [answer]
    expect(await ask()).toEqual(told)
    expect(calls).toEqual([asked])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['reportSize', () => api.reportSize(7)],
    ['recordStatus', () => api.recordStatus('c', file.timestamp)],
    ['captureStatus', () => api.captureStatus(file)],
    ['cancel', () => api.cancel(file.timestamp)],
    ['remove', () => api.remove(file.timestamp)],
  ])('%s that is refused is a failure', async (_, ask) => {
    answers = [Response.json({ success: false, message: 'no', code: 'file.unknown' }, { status: 404 })]
    await expect(ask()).rejects.toThrow('no')
  })

  it('are those of photos where photos are repaired', async () => {
    answers = [{ status: true }]
    expect(await browserFlowApi('photo').uploadCheck()).toBe(true)
    expect(calls).toEqual(['POST /api/photouploadcheck {}'])
  })

  it('make whole addresses of those of a result, and leave those out that are not there', async () => {
    const relative = {
      ...{
        ...DOWNLOAD,
        videoDownloadUrl: '/store/a',
        previewDownloadUrl: '/store/b',
        photoDownloadUrl: '/store/c',
      },
      ...{ photoDownloadUrl1: '/store/d', playableUrl: '/store/e', jpegUrl: '/store/f', pngUrl: '/store/g' },
    }
    answers = [relative, { ...DOWNLOAD, playableUrl: '' }]
    const urls = (reply: object) => Object.entries(reply).filter(([name]) => name.includes('Url'))
    const host = 'https://mendframe.test/store/'
    expect(urls(await api.download(file)).map(([, url]) => url)).toEqual(
      ['a', 'b', 'e', 'f', 'g', 'c', 'd'].map((name) => host + name),
    )
    const { playableUrl, jpegUrl, photoDownloadUrl } = await api.download(file)
    expect([playableUrl, jpegUrl, photoDownloadUrl]).toEqual(['', undefined, ''])
    expect(calls[0]).toBe('GET /api/download?fileName=a.mp4&timestamp=1790000000000&details=')
  })
})

describe('the calls of an upload', () => {
  const { parts, ticket, memory, isOnline, md5, ...ports } = browserUploadPorts
  const request = (role: 'corrupt' | 'sample', timestamp?: string): UploadRequest =>
    ({
      ...{ product: 'video', role, extension: 'mp4', contentType: 'video/mp4', timestamp, signal },
      ...{ file: new File(['12345'], 'party.mp4') },
      ...{ onProgress: () => undefined, onConfirming: () => undefined },
    }) as unknown as UploadRequest
  const place = { ...done, uploadUrl: '/store/put', fileName: 'a.mp4', timestamp: '1790000000000' }

  it('open it in one piece, for a sample by the damaged file’s time', async () => {
    answers = [place, place]
    const told = { ...place, uploadUrl: 'https://mendframe.test/store/put' }
    expect(await ticket(request('corrupt'))).toEqual(told)
    expect(await ticket(request('sample', '1790000000001'))).toEqual(told)
    expect(calls).toEqual([
      'POST /api/upload {"fileExtension":"mp4","contentType":"video/mp4","fileSize":5}',
      'POST /api/sampleupload {"fileExtension":"mp4","contentType":"video/mp4","fileSize":5,"timestamp":"1790000000001","originalFileName":"party.mp4"}',
    ])
  })

  it('open it in parts, list, sign, complete and give up', async () => {
    const open = { ...done, uploadId: 'p', fileName: 'a.mp4', timestamp: '1', partSize: 3, partCount: 2 }
    answers = [
      open,
      { ...open, fileSize: 5, parts: [] },
      { ...done, urls: [{ partNumber: 2, uploadUrl: '/store/2' }] },
      { ...done, fileName: 'a.mp4', timestamp: '1', fileSize: 5 },
      done,
    ]
    expect(await parts.create(request('sample', '7'))).toMatchObject({ uploadId: 'p', partCount: 2 })
    expect(await parts.list('p')).toMatchObject({ parts: [] })
    expect(await parts.sign('p', [2])).toEqual({
      urls: [{ partNumber: 2, uploadUrl: 'https://mendframe.test/store/2' }],
    })
    await parts.complete('p')
    await parts.abort('p')
    expect(calls).toEqual([
      'POST /api/upload/parts/create {"product":"video","role":"sample","fileExtension":"mp4","contentType":"video/mp4","fileSize":5,"timestamp":"7","originalFileName":"party.mp4"}',
      'GET /api/upload/parts?uploadId=p',
      'POST /api/upload/parts/sign {"uploadId":"p","partNumbers":[2]}',
      'POST /api/upload/parts/complete {"uploadId":"p"}',
      'POST /api/upload/parts/abort {"uploadId":"p"}',
    ])
  })

  it('remember what is under way, and know a hash', async () => {
    expect(memory.recall('key')).toBeUndefined()
    memory.remember('key', 'p')
    expect(memory.recall('key')).toBe('p')
    memory.forget('key')
    expect(memory.recall('key')).toBeUndefined()
    expect(await md5(new Blob(['abc']))).toBe('900150983cd24fb0d6963f7d28e17f72')
  })

  it('wait for the connection, unless somebody gives up', async () => {
    expect(isOnline()).toBe(true)
    await ports.online(signal)
    online = false
    const waiting = ports.online(signal)
    listeners.get('online')?.()
    await waiting
    const cancel = new AbortController()
    const given = ports.online(cancel.signal)
    cancel.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    expect([isOnline(), listeners.has('online')]).toEqual([false, false])
  })

  it('pause, unless somebody gave or gives up', async () => {
    await pause(1, signal)
    const cancel = new AbortController()
    const long = pause(60_000, cancel.signal)
    cancel.abort(new Error('enough'))
    await expect(long).rejects.toThrow('enough')
    await expect(pause(60_000, cancel.signal)).rejects.toThrow('enough')
  })
})

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

describe('progress', () => {
  const ports = browserProgress('photo')

  it('is pushed as events of that name, and others and what is none are passed over', async () => {
    const first = progress({ progress: 10 })
    const lines = [
      ...['event: progress', `data: ${JSON.stringify(first)}`, ''],
      ...['event: other', `data: ${JSON.stringify(progress({ progress: 30 }))}`, ''],
      ...['event: progress', 'data: {"no":1}', ''],
      ...['event: progress', `data: ${JSON.stringify(progress({ progress: 60 }))}`, '', ''],
    ]
    answers = [new Response(lines.join('\n'))]
    const heard = (await allOf(ports.events('5', signal))).map(({ progress }) => progress)
    expect([heard, calls]).toEqual([[10, 60], ['GET /api/progress/events?time=5']])
    expect(bearer).toBe('Bearer mine')
  })

  it('that is pushed ends at once when the connection is gone', async () => {
    vi.stubGlobal('fetch', async (_address: string, { signal: stop }: RequestInit) => {
      const start = (controller: ReadableStreamDefaultController) =>
        stop?.addEventListener('abort', () => controller.error(stop.reason))
      return new Response(new ReadableStream({ start }))
    })
    const ended = allOf(ports.events('5', signal)).catch((cause: Error) => cause.name)
    await vi.waitFor(() => expect(listeners.has('offline')).toBe(true))
    listeners.get('offline')?.()
    expect([await ended, listeners.has('offline')]).toEqual(['AbortError', false])
  })

  it('that is refused is an error, and asked for it is told once', async () => {
    answers = [Response.json({ message: 'no' }, { status: 404 }), progress({ progress: 3 })]
    await expect(allOf(ports.events('5', signal))).rejects.toThrow()
    expect(await ports.poll('5', signal)).toMatchObject({ progress: 3 })
    expect(calls.at(-1)).toBe('GET /api/photocheckprogress?time=5')
  })
})
