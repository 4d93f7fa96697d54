import { describe, expect, it } from 'vitest'
import { abandonParts, uploadInParts, uploadKey } from '../../src/features/repair/upload/parts.ts'
import type { UploadRequest } from '../../src/features/repair/upload/upload-ports.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'
import { FakeParts, FakeStore, uploadPorts } from './fakes.ts'

const BYTES = Uint8Array.from({ length: 35 }, (_, index) => index)

function request(
  change: Partial<UploadRequest> = {},
): UploadRequest & { sent: number[]; resumed: number[]; waits: number[] } {
  const sent: number[] = []
  const resumed: number[] = []
  const waits: number[] = []
  return {
    product: 'video',
    role: 'corrupt',
    file: new File([BYTES], 'long.mp4', { lastModified: 7 }),
    extension: 'mp4',
    contentType: 'video/mp4',
    timestamp: undefined,
    signal: new AbortController().signal,
    onProgress: (bytes) => sent.push(bytes),
    onResume: (bytes) => resumed.push(bytes),
    onWaiting: () => waits.push(1),
    onConfirming: () => undefined,
    ...change,
    sent,
    resumed,
    waits,
  }
}

function world() {
  const store = new FakeStore()
  const parts = new FakeParts(store, 10)
  return { store, parts, ...uploadPorts(store, parts) }
}

function joined(store: FakeStore): number[] {
  return [...store.received]
    .sort(([a], [b]) => Number(a.split(':')[2]) - Number(b.split(':')[2]))
    .flatMap(([, bytes]) => [...bytes])
}

describe('an upload in parts', () => {
  it('sends every byte once and forgets the upload when it is joined', async () => {
    const { store, parts, ports, remembered } = world()
    const ticket = await uploadInParts(request(), ports)
    expect(ticket).toEqual({ fileName: 'renamed.mp4', timestamp: '1790000000000' })
    expect(joined(store)).toEqual([...BYTES])
    expect(parts.calls.at(-1)).toBe('complete upload-1')
    expect(remembered.size).toBe(0)
  })

  it('tells all bytes sent at its end', async () => {
    const { ports } = world()
    const asked = request()
    await uploadInParts(asked, ports)
    expect(asked.sent.at(-1)).toBe(35)
  })

  it('tries a refused part again with a newly signed address', async () => {
    const { store, parts, ports, pauses } = world()
    store.outcomes.push({ kind: 'refused', status: 403 })
    await uploadInParts(request(), ports)
    expect(joined(store)).toEqual([...BYTES])
    expect(parts.calls.filter((call) => call === 'sign 1')).toHaveLength(1)
    expect(pauses).toEqual([500])
  })

  it('waits longer before each further try, and gives up after six', async () => {
    const { store, ports, pauses } = world()
    for (let index = 0; index < 40; index += 1) store.outcomes.push({ kind: 'refused', status: 500 })
    const single = new File([BYTES.slice(0, 10)], 'short.mp4')
    await expect(uploadInParts(request({ file: single }), ports)).rejects.toThrow(
      'Server error (500). Please try again later.',
    )
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000])
  })

  it('waits for the connection when it is gone, without using up its tries', async () => {
    const { store, ports } = world()
    let offline = 20
    for (let index = 0; index < offline; index += 1) store.outcomes.push({ kind: 'broken' })
    const asked = request({ file: new File([BYTES.slice(0, 10)], 'short.mp4') })
    await uploadInParts(asked, { ...ports, isOnline: () => offline-- <= 1 })
    expect(asked.waits.length).toBeGreaterThan(6)
    expect(joined(store)).toEqual([...BYTES.slice(0, 10)])
  })

  it('tries again after a pause where the connection broke and is there, or a part is refused while it is gone', async () => {
    for (const [outcome, isOnline] of [
      [{ kind: 'broken' }, true],
      [{ kind: 'refused', status: 403 }, false],
    ] as const) {
      const { store, ports, pauses } = world()
      store.outcomes.push(outcome)
      const asked = request()
      await uploadInParts(asked, { ...ports, isOnline: () => isOnline })
      expect([pauses, asked.waits]).toEqual([[500], []])
    }
  })

  it('goes on by itself where nothing answers while the service is started anew', async () => {
    for (const silence of [new NoAnswer('down'), new ApiFailure(502, 'unknown', '')]) {
      const { store, parts, ports, pauses } = world()
      const asked = request()
      const silent = (call: 'sign' | 'complete') => Array.from({ length: 7 }, () => call)
      const left = [...silent('sign'), ...silent('complete')]
      const unless = <T>(call: 'sign' | 'complete', answer: () => Promise<T>): Promise<T> =>
        left[0] === call ? Promise.reject(left.shift() && silence) : answer()
      const calls = {
        ...{ create: parts.create.bind(parts), list: parts.list.bind(parts), abort: parts.abort.bind(parts) },
        sign: (id: string, numbers: readonly number[]) => unless('sign', () => parts.sign(id, numbers)),
        complete: (id: string) => unless('complete', () => parts.complete(id)),
      }
      for (let broken = 0; broken < 30; broken += 1) store.outcomes.push({ kind: 'broken' })
      await uploadInParts(asked, { ...ports, parts: calls })
      expect(joined(store)).toEqual([...BYTES])
      expect(left).toEqual([])
      expect(asked.waits.length).toBeGreaterThan(14)
      expect(Math.max(...pauses)).toBe(8000)
    }
  })

  it('gives up after almost two minutes without an answer, and can be continued', async () => {
    const { store, ports, pauses, remembered } = world()
    for (let broken = 0; broken < 100; broken += 1) store.outcomes.push({ kind: 'broken' })
    const single = new File([BYTES.slice(0, 10)], 'short.mp4')
    await expect(uploadInParts(request({ file: single }), ports)).rejects.toThrow('Upload failed!')
    expect(pauses.reduce((sum, pause) => sum + pause)).toBe(111_500)
    expect([...remembered.values()]).toEqual(['upload-1'])
  })

  it('keeps what has arrived where the service is only unwell', async () => {
    const { parts, ports, remembered } = world()
    const asked = request()
    remembered.set(uploadKey(asked), 'upload-7')
    parts.refuseList = new ApiFailure(500, 'server.error', 'unwell')
    await expect(uploadInParts(asked, ports)).rejects.toThrow('unwell')
    expect([...remembered.values()]).toEqual(['upload-7'])
  })

  it('sends a part again whose checksum is not the one the store saw', async () => {
    const { store, ports } = world()
    store.outcomes.push({ kind: 'done', etag: `"${'f'.repeat(32)}"` })
    await uploadInParts(request(), ports)
    expect(store.puts).toHaveLength(5)
  })

  it('asks which parts are missing when joining is refused, and sends those', async () => {
    const { store, parts, ports } = world()
    parts.completeFailures.push(new ApiFailure(409, 'upload.incomplete', 'missing'))
    const asked = request()
    const upload = uploadInParts(asked, {
      ...ports,
      parts: {
        create: (sent) => parts.create(sent),
        list: async (id) => {
          const listing = await parts.list(id)
          return { ...listing, parts: listing.parts.filter(({ partNumber }) => partNumber !== 2) }
        },
        sign: (id, numbers) => parts.sign(id, numbers),
        complete: (id) => parts.complete(id),
        abort: (id) => parts.abort(id),
      },
    })
    await upload
    expect(store.puts.filter(({ url }) => url.startsWith('put:upload-1:2:'))).toHaveLength(2)
    expect(parts.calls.filter((call) => call.startsWith('complete'))).toHaveLength(2)
  })

  it('continues an upload of an earlier visit where it stopped', async () => {
    const { store, parts, ports } = world()
    const stop = new AbortController()
    store.outcomes.push({ kind: 'done', etag: undefined }, 'hang', 'hang', 'hang')
    const first = uploadInParts(request({ signal: stop.signal }), ports)
    const ended = expect(first).rejects.toThrow('page closed')
    await new Promise((resolve) => setTimeout(resolve, 10))
    stop.abort(new Error('page closed'))
    await ended

    const again = request()
    await uploadInParts(again, ports)
    expect(again.resumed).toEqual([10])
    expect(parts.calls.filter((call) => call === 'create')).toHaveLength(1)
    expect(joined(store)).toEqual([...BYTES])
  })

  it('sends a part again of which an earlier visit stored a half', async () => {
    const { store, parts, ports, remembered } = world()
    const asked = request()
    remembered.set(uploadKey(asked), (await parts.create(asked)).uploadId)
    store.received.set('put:upload-1:1:0', BYTES.slice(0, 10))
    store.received.set('put:upload-1:2:0', BYTES.slice(10, 15))
    await uploadInParts(asked, ports)
    expect(asked.resumed).toEqual([10])
    expect(store.puts.map(({ url }) => url.split(':')[2])).toEqual(['2', '3', '4'])
  })

  it('begins anew when the service knows the upload with another size', async () => {
    const { store, parts, ports, remembered } = world()
    const asked = request()
    const { uploadId } = await parts.create(request({ file: new File([BYTES.slice(1)], 'long.mp4') }))
    remembered.set(uploadKey(asked), uploadId)
    await uploadInParts(asked, ports)
    expect(parts.calls.filter((call) => call.startsWith('complete'))).toEqual(['complete upload-2'])
    expect(joined(store)).toEqual([...BYTES])
  })

  it('begins anew when the service does not know the upload any more', async () => {
    const { store, parts, ports, remembered } = world()
    const asked = request()
    remembered.set(uploadKey(asked), 'upload-of-last-week')
    parts.refuseList = new ApiFailure(409, 'upload.closed', 'gone')
    await uploadInParts(asked, ports)
    expect(parts.calls.slice(0, 2)).toEqual(['list upload-of-last-week', 'create'])
    expect(joined(store)).toEqual([...BYTES])
  })

  it('keeps the upload in memory when it stops, so that it can be continued', async () => {
    const { store, ports, remembered } = world()
    for (let index = 0; index < 60; index += 1) store.outcomes.push({ kind: 'refused', status: 503 })
    await expect(uploadInParts(request(), ports)).rejects.toThrow('Upload failed!')
    expect([...remembered.values()]).toEqual(['upload-1'])
  })

  it('has addresses signed a dozen at a time at the most, none twice, and sends three parts at once', async () => {
    const { store, parts, ports } = world()
    const file = new File([new Uint8Array(200)], 'long.mp4')
    let under = 0
    let most = 0
    const put: typeof ports.put = async (part) => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setImmediate(resolve))
      under--
      return store.put(part)
    }
    await uploadInParts(request({ file }), { ...ports, put })
    expect(most).toBe(3)
    const signed = parts.calls
      .filter((call) => call.startsWith('sign'))
      .map((call) => call.slice(5).split(','))
    expect(Math.max(...signed.map(({ length }) => length))).toBe(12)
    expect([signed.flat().length, new Set(signed.flat()).size]).toEqual([20, 20])
  })

  it('tells how far it is, a part at its own size at most and nothing of one that is refused', async () => {
    const { store, ports } = world()
    const asked = request({ file: new File([BYTES.slice(0, 15)], 'short.mp4') })
    let first = true
    const put: typeof ports.put = async (part) => {
      part.onProgress(part.body.size + 100)
      if (first) {
        first = false
        return { kind: 'refused', status: 503 }
      }
      return store.put(part)
    }
    await uploadInParts(asked, { ...ports, put })
    expect(Math.max(...asked.sent)).toBe(15)
    expect(asked.sent).toContain(0)
    expect(asked.resumed).toEqual([0])
  })

  it.each([
    ['0'.repeat(32), 5],
    [`"${'0'.repeat(32)}"`, 5],
    ['"etag-of-parts-2"', 5],
    [`"${'A'.repeat(32)}"`, 0],
  ])('takes the checksum %s of a store for what it is', async (etag, ok) => {
    const { store, ports } = world()
    store.etagOf = () => etag
    const md5 = async () => (ok ? '0' : 'a').repeat(32)
    await uploadInParts(request(), { ...ports, md5 })
    expect(store.puts).toHaveLength(4)
  })

  it('gives up on a part that arrives damaged six times', async () => {
    const { store, ports } = world()
    store.etagOf = () => 'f'.repeat(32)
    const single = new File([BYTES.slice(0, 10)], 'short.mp4')
    await expect(uploadInParts(request({ file: single }), ports)).rejects.toThrow(
      'A part arrived damaged several times.',
    )
    expect(store.puts).toHaveLength(6)
  })

  it('gives up on joining after three rounds, and at once where that is refused for another reason', async () => {
    const { parts, ports } = world()
    const missing = () => new ApiFailure(409, 'upload.incomplete', 'missing')
    parts.completeFailures.push(missing(), missing(), missing(), missing())
    await expect(uploadInParts(request(), ports)).rejects.toThrow('missing')
    expect(parts.completeFailures).toHaveLength(1)
    parts.completeFailures.length = 0
    parts.completeFailures.push(new ApiFailure(409, 'upload.closed', 'closed'))
    await expect(uploadInParts(request(), ports)).rejects.toThrow('closed')
  })

  it('ends where the service gives no address, or cannot be asked what it has', async () => {
    const { parts, ports, remembered } = world()
    const over = (change: Partial<typeof ports.parts>) => ({
      ...ports,
      parts: {
        ...{ create: parts.create.bind(parts), list: parts.list.bind(parts), sign: parts.sign.bind(parts) },
        ...{ complete: parts.complete.bind(parts), abort: parts.abort.bind(parts), ...change },
      },
    })
    const none = over({ sign: async () => ({ urls: [] }) })
    await expect(uploadInParts(request(), none)).rejects.toThrow('The service gave no address for a part.')
    const down = over({ list: () => Promise.reject(new NoAnswer('down')) })
    await expect(uploadInParts(request(), down)).rejects.toThrow('down')
    expect([...remembered.values()]).toEqual(['upload-1'])
  })

  it('is given up with its parts, where there are any', async () => {
    const { parts, ports, remembered } = world()
    const asked = request()
    await abandonParts(asked, ports)
    remembered.set(uploadKey(asked), 'upload-7')
    await abandonParts(asked, ports)
    expect([parts.calls, remembered.size]).toEqual([['abort upload-7'], 0])
    expect(uploadKey(asked)).toBe('upload|video|corrupt||long.mp4|35|7')
  })
})
