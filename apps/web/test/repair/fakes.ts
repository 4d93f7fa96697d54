import type { DownloadReply, ProgressReply, RepairReport } from '@mendframe/contract'
import type { AccountFacts } from '../../src/features/repair/flow/checks.ts'
import type { FlowApi, FlowDialog, FlowPorts, Milestone } from '../../src/features/repair/flow/flow-ports.ts'
import type { PutOutcome, PutRequest } from '../../src/features/repair/upload/put.ts'
import type { PartsApi, UploadPorts, UploadRequest } from '../../src/features/repair/upload/upload-ports.ts'

/** Stands in for the store: what is put lands here, and a script of outcomes goes first. */
export class FakeStore {
  readonly puts: PutRequest[] = []
  readonly received = new Map<string, Uint8Array>()
  readonly outcomes: (PutOutcome | 'hang')[] = []
  etagOf: (bytes: Uint8Array) => string | undefined = () => undefined

  readonly put = async (request: PutRequest): Promise<PutOutcome> => {
    request.signal.throwIfAborted()
    this.puts.push(request)
    const next = this.outcomes.shift()
    if (next === 'hang') {
      request.onProgress(1)
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true }),
      )
    }
    if (next && next.kind !== 'done') return next
    request.onProgress(request.body.size)
    const bytes = new Uint8Array(await request.body.arrayBuffer())
    this.received.set(request.url, bytes)
    return next ?? { kind: 'done', etag: this.etagOf(bytes) }
  }
}

/** The service's side of uploads in parts, in memory. */
export class FakeParts implements PartsApi {
  readonly partSize: number
  readonly calls: string[] = []
  readonly #store: FakeStore
  #size = 0
  #opened = 0
  refuseList: Error | undefined
  /** Thrown by the next calls of complete. */
  readonly completeFailures: Error[] = []

  constructor(store: FakeStore, partSize: number) {
    this.#store = store
    this.partSize = partSize
  }

  #count() {
    return Math.ceil(this.#size / this.partSize)
  }

  async create(request: UploadRequest) {
    this.calls.push('create')
    this.#opened += 1
    this.#size = request.file.size
    return {
      uploadId: `upload-${this.#opened}`,
      fileName: 'renamed.mp4',
      timestamp: '1790000000000',
      partSize: this.partSize,
      partCount: this.#count(),
    }
  }

  async list(uploadId: string) {
    this.calls.push(`list ${uploadId}`)
    if (this.refuseList) throw this.refuseList
    const parts = [...this.#store.received]
      .filter(([url]) => url.startsWith(`put:${uploadId}:`))
      .map(([url, bytes]) => ({ partNumber: Number(url.split(':')[2]), size: bytes.length }))
    return {
      fileName: 'renamed.mp4',
      timestamp: '1790000000000',
      fileSize: this.#size,
      partSize: this.partSize,
      partCount: this.#count(),
      parts,
    }
  }

  async sign(uploadId: string, partNumbers: readonly number[]) {
    this.calls.push(`sign ${partNumbers.join(',')}`)
    return {
      urls: partNumbers.map((partNumber) => ({
        partNumber,
        uploadUrl: `put:${uploadId}:${partNumber}:${this.calls.length}`,
      })),
    }
  }

  async complete(uploadId: string) {
    this.calls.push(`complete ${uploadId}`)
    const failure = this.completeFailures.shift()
    if (failure) throw failure
  }

  async abort(uploadId: string) {
    this.calls.push(`abort ${uploadId}`)
  }
}

/** Ports of an upload over the fakes; pauses take no time and are written down. */
export function uploadPorts(store: FakeStore, parts: FakeParts) {
  const remembered = new Map<string, string>()
  const pauses: number[] = []
  const ports: UploadPorts = {
    parts,
    ticket: async () => ({ uploadUrl: 'put:whole', fileName: 'renamed.mp4', timestamp: '1790000000000' }),
    put: store.put,
    memory: {
      recall: (key) => remembered.get(key),
      remember: (key, id) => remembered.set(key, id),
      forget: (key) => remembered.delete(key),
    },
    isOnline: () => true,
    online: async () => undefined,
    pause: async (milliseconds) => {
      pauses.push(milliseconds)
    },
    md5: async () => '0'.repeat(32),
  }
  return { ports, remembered, pauses }
}

export const DOWNLOAD: DownloadReply = {
  success: true,
  videoDownloadUrl: 'https://store/full.mp4',
  previewDownloadUrl: 'https://store/preview.mp4',
  info: 'Free',
  photoDownloadUrl: '',
  photoDownloadUrl1: '',
  full: true,
  expiresAt: '2026-11-20T12:00:00Z',
}

export const REPORT: RepairReport = {
  engine: 'test',
  kind: 'recording',
  verdict: 'partial',
  format: 'mp4',
  findings: [],
  omittedFindings: 0,
  strategies: [],
  tracks: [],
  pictures: [],
  seconds: 1,
}

export function progress(change: Partial<ProgressReply>): ProgressReply {
  return {
    status: 'Running',
    progress: 10,
    repairingStatus: 'Reading the file',
    stage: 'survey',
    fraction: 0.5,
    ...change,
  }
}

/** A flow's world: everything it says and asks is written down. */
export function flowWorld(change: { facts?: Partial<AccountFacts>; api?: Partial<FlowApi> } = {}) {
  const store = new FakeStore()
  const parts = new FakeParts(store, 10)
  const uploads = uploadPorts(store, parts)
  const notices: string[] = []
  const dialogs: FlowDialog[] = []
  const milestones: Milestone[] = []
  const events: ProgressReply[] = []
  const world = { signedIn: true, clock: 0 }
  const api: FlowApi = {
    uploadCheck: async () => true,
    reportSize: async () => undefined,
    recordMetadata: async () => ({ fileSize: 1000, uniqueId: 'unique' }),
    startRepair: async () => 'code',
    recordStatus: async () => undefined,
    download: async () => DOWNLOAD,
    captureStatus: async () => undefined,
    report: async () => REPORT,
    cancel: async () => undefined,
    remove: async () => undefined,
    byUniqueId: async () => {
      throw new Error('not asked for in this test')
    },
    ...change.api,
  }
  const ports: FlowPorts = {
    product: 'video',
    api,
    uploads: uploads.ports,
    progress: {
      async *events() {
        for (let event = events.shift(); event; event = events.shift()) yield event
      },
      poll: async () => progress({}),
      pause: async (_, signal) => {
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
      },
    },
    signedIn: () => world.signedIn,
    facts: async () => ({
      plan: 'Free',
      uploadedFiles: [],
      totalRecharges: 0,
      usedRecharges: 0,
      ...change.facts,
    }),
    dialog: (dialog) => dialogs.push(dialog),
    notify: (kind, text, title) => notices.push([kind, title, text].filter(Boolean).join(': ')),
    milestone: (milestone) => milestones.push(milestone),
    now: () => world.clock,
  }
  return { ports, api, store, parts, uploads, notices, dialogs, milestones, events, world }
}
