import { describe, expect, it } from 'vitest'
import { uploadInParts, uploadKey } from '../../src/features/repair/upload/parts.ts'
import type { UploadRequest } from '../../src/features/repair/upload/upload-ports.ts'
import { ApiFailure } from '../../src/shared/api/failure.ts'
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
})
