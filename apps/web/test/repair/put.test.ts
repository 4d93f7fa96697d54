import { TEXTS } from '@mendframe/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { type PutRequest, putWithXhr } from '../../src/features/repair/upload/put.ts'
import { textOfPut, textOfUploadError, UploadFailed } from '../../src/features/repair/upload/upload-errors.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'

/** Stands in for the browser's request: what was asked of it, and an answer at will. */
class FakeRequest {
  static last: FakeRequest
  readonly calls: unknown[][] = []
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  status = 0
  etag: string | null = null
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  constructor() {
    FakeRequest.last = this
  }
  open = (...call: unknown[]) => this.calls.push(['open', ...call])
  setRequestHeader = (...call: unknown[]) => this.calls.push(['header', ...call])
  send = (...call: unknown[]) => this.calls.push(['send', ...call])
  getResponseHeader = (name: string) => (name === 'etag' ? this.etag : null)
  abort = () => {
    this.calls.push(['abort'])
    this.onabort?.()
  }
}

const body = new Blob(['bytes'])

function put(change: Partial<PutRequest> = {}) {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  const request = { url: 'to', body, contentType: undefined, onProgress: () => undefined, ...change }
  return putWithXhr({ signal: new AbortController().signal, ...request })
}

afterEach(() => vi.unstubAllGlobals())

it.each([
  [199, { kind: 'refused', status: 199 }],
  [200, { kind: 'done', etag: 'tag' }],
  [299, { kind: 'done', etag: 'tag' }],
  [300, { kind: 'refused', status: 300 }],
])('an answer of %i is told as it is', async (status, outcome) => {
  const answered = put()
  Object.assign(FakeRequest.last, { status, etag: 'tag' }).onload?.()
  expect(await answered).toEqual(outcome)
})

it('sends the bytes with their type, where the address binds one, and tells how far it is', async () => {
  const sent: number[] = []
  const answered = put({ contentType: 'video/mp4', onProgress: (bytes) => sent.push(bytes) })
  FakeRequest.last.upload.onprogress?.({ loaded: 3 })
  Object.assign(FakeRequest.last, { status: 200 }).onload?.()
  expect(await answered).toEqual({ kind: 'done', etag: undefined })
  expect(FakeRequest.last.calls).toEqual([
    ['open', 'PUT', 'to'],
    ['header', 'content-type', 'video/mp4'],
    ['send', body],
  ])
  expect(sent).toEqual([3])
  void put()
  expect(FakeRequest.last.calls.map(([name]) => name)).toEqual(['open', 'send'])
})

it('tells a line that broke from a request that the browser gave up', async () => {
  const broken = put()
  FakeRequest.last.onerror?.()
  expect(await broken).toEqual({ kind: 'broken' })
  const aborted = put()
  FakeRequest.last.onabort?.()
  expect(await aborted).toEqual({ kind: 'aborted' })
})

it('is given up with the reason of the visitor, before it begins and on its way, not behind its end', async () => {
  const early = new AbortController()
  early.abort('early')
  await expect(put({ signal: early.signal })).rejects.toBe('early')
  const late = new AbortController()
  const sent = put({ signal: late.signal })
  late.abort('late')
  await expect(sent).rejects.toBe('late')
  expect(FakeRequest.last.calls.at(-1)).toEqual(['abort'])
  const over = new AbortController()
  const done = put({ signal: over.signal })
  Object.assign(FakeRequest.last, { status: 204 }).onload?.()
  await done
  over.abort('over')
  expect(FakeRequest.last.calls.at(-1)).toEqual(['send', body])
})

it.each<[Parameters<typeof textOfPut>[0] | Error, boolean, string]>([
  [{ kind: 'aborted' }, true, TEXTS.uploadAborted],
  [{ kind: 'broken' }, true, TEXTS.uploadFailed],
  [{ kind: 'broken' }, false, TEXTS.uploadOffline],
  [{ kind: 'refused', status: 500 }, true, TEXTS.uploadServerError],
  [{ kind: 'refused', status: 503 }, true, TEXTS.uploadFailed],
  [new UploadFailed('why'), false, 'why'],
  [new NoAnswer('down'), true, TEXTS.uploadFailed],
  [new NoAnswer('down'), false, TEXTS.uploadOffline],
  [new ApiFailure(400, 'request.invalid', 'Told.'), true, 'Told.'],
  [new ApiFailure(500, 'server.error', ''), true, TEXTS.uploadServerError],
  [new ApiFailure(503, 'server.unavailable', ''), true, TEXTS.uploadFailed],
  [new Error('defect'), true, TEXTS.uploadFailed],
])('an upload that ended with %j (online: %s) is told of', (end, online, text) => {
  expect(end instanceof Error ? textOfUploadError(end, online) : textOfPut(end, online)).toBe(text)
})
