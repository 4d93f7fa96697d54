import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  type Context,
  completeRepair,
  createContext,
  createLogger,
  deliverMail,
  failRepair,
  type Handlers,
  loadConfig,
  type Mail,
  takeRepair,
} from '@mendframe/backend'
import {
  createTestPostgres,
  isPostgresTested,
  type TestPostgres,
  testDatabase,
} from '@mendframe/backend/testing'
import type { Product, RepairReport, Verdict } from '@mendframe/contract'
import { type App, createServer } from '../../src/index.ts'

/** A clock that tests turn. It goes on with the real one. */
export class TestClock implements Clock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  advance(hours: number): void {
    this.#ahead += hours * 3_600_000
  }
}

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

type Sent = Readonly<Record<string, unknown>>

/** The whole service but the worker, on a database in memory and a folder that goes away again. */
export class Service {
  readonly folder: string
  readonly context: Context
  readonly app: App
  readonly clock: TestClock
  readonly mails: Mail[]
  readonly logLines: string[]
  readonly postgres: TestPostgres | undefined

  private constructor(
    parts: Pick<Service, 'folder' | 'context' | 'app' | 'clock' | 'mails' | 'logLines' | 'postgres'>,
  ) {
    this.folder = parts.folder
    this.context = parts.context
    this.app = parts.app
    this.clock = parts.clock
    this.mails = parts.mails
    this.logLines = parts.logLines
    this.postgres = parts.postgres
  }

  static async start(settings: Record<string, string> = {}, webFolder?: string): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), 'mendframe-api-'))
    const postgres = isPostgresTested() ? await createTestPostgres() : undefined
    const config = loadConfig({
      ...postgres?.settings,
      MENDFRAME_DATA: folder,
      RATE_SIGNUPS: '100000',
      RATE_LOGINS: '100000',
      RATE_MAILS: '100000',
      RATE_CALLS: '1000000',
      ...settings,
    })
    const clock = new TestClock()
    const mails: Mail[] = []
    const logLines: string[] = []
    const log = createLogger(config, { write: (line: string) => logLines.push(line) })
    const mailer = {
      send: async (mail: Mail) => {
        mails.push(mail)
      },
      close: () => {},
    }
    const database = postgres ? {} : { embeddedDatabase: await testDatabase() }
    const context = await createContext(config, { ...database, clock, log, mailer })
    const nothing = async () => {}
    const handlers: Handlers = {
      repair: nothing,
      'repair-lost': nothing,
      retention: nothing,
      mail: (job) => deliverMail(context, job.data),
    }
    await context.queue.work(handlers)
    const app = await createServer(context, webFolder === undefined ? {} : { webFolder })
    await app.ready()
    return new Service({ folder, context, app, clock, mails, logLines, postgres })
  }

  async stop(): Promise<void> {
    await this.app.close()
    await this.context.queue.stopWork()
    await this.context.close()
    await this.postgres?.drop()
    await rm(this.folder, { recursive: true, force: true })
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const headers = {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    }
    const payload = options.body === undefined ? {} : { payload: JSON.stringify(options.body) }
    const reply = await this.app.inject({ method, url, headers, ...payload })
    return { status: reply.statusCode, body: asRecord(reply.body), headers: reply.headers, text: reply.body }
  }

  post(url: string, body: Sent, token?: string): Promise<Answer> {
    return this.send('POST', url, token === undefined ? { body } : { body, token })
  }

  get(url: string, token?: string): Promise<Answer> {
    return this.send('GET', url, token === undefined ? {} : { token })
  }

  /** Sends bytes to a signed address. */
  async put(url: string, bytes: Buffer, contentType = 'video/mp4'): Promise<Answer> {
    const headers = { 'content-type': contentType, 'content-length': String(bytes.length) }
    const reply = await this.app.inject({ method: 'PUT', url, headers, payload: bytes })
    return { status: reply.statusCode, body: asRecord(reply.body), headers: reply.headers, text: reply.body }
  }

  /** A new account. */
  async person(email = `person-${Math.random().toString(36).slice(2)}@example.com`): Promise<Person> {
    const reply = await this.post('/api/signup', { email, password: 'correct horse' })
    if (reply.status !== 200) throw new Error(`sign-up answered ${reply.text}`)
    return new Person(this, email, String(reply.body.token))
  }

  /** Waits for a mail that a job sends. */
  async mailTo(email: string, subject: string, patience = 10_000): Promise<Mail> {
    const until = Date.now() + patience
    for (;;) {
      const found = this.mails.find((mail) => mail.to === email && mail.subject.includes(subject))
      if (found) return found
      if (Date.now() > until)
        throw new Error(`no mail about '${subject}'; there are ${this.mails.map((m) => m.subject)}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** A head of an mp4 and arbitrary bytes after it: what an upload's check sees as a video. */
export function videoBytes(length = 2_000, seed = 1): Buffer {
  const bytes = Buffer.alloc(length, seed)
  Buffer.from('\0\0\0\x18ftypisom\0\0\0\x01isomavc1\0\0\0\0mdat', 'latin1').copy(bytes)
  return bytes
}

export interface Uploaded {
  readonly fileName: string
  readonly timestamp: string
  readonly uniqueId: string
}

/** Somebody with an account, doing what the page does. */
export class Person {
  readonly service: Service
  readonly email: string
  readonly token: string

  constructor(service: Service, email: string, token: string) {
    this.service = service
    this.email = email
    this.token = token
  }

  post(url: string, body: Sent): Promise<Answer> {
    return this.service.post(url, body, this.token)
  }

  get(url: string): Promise<Answer> {
    return this.service.get(url, this.token)
  }

  async upload(bytes = videoBytes(), name = 'holiday.mp4', product: Product = 'video'): Promise<Uploaded> {
    const fileExtension = name.slice(name.lastIndexOf('.'))
    const paths =
      product === 'video'
        ? ['/api/upload', '/api/video-metadata']
        : ['/api/photoupload', '/api/photo-metadata']
    const begun = await this.post(paths[0] ?? '', {
      fileExtension,
      contentType: 'video/mp4',
      fileSize: bytes.length,
    })
    if (begun.status !== 200) throw new Error(`upload answered ${begun.text}`)
    const sent = await this.service.put(String(begun.body.uploadUrl), bytes)
    if (sent.status !== 200) throw new Error(`PUT answered ${sent.text}`)
    const fileName = String(begun.body.fileName)
    const timestamp = String(begun.body.timestamp)
    const told = await this.post(paths[1] ?? '', {
      fileName,
      fileExtension,
      timestamp,
      originalFileName: name,
      info: '',
    })
    if (told.status !== 200) throw new Error(`metadata answered ${told.text}`)
    return { fileName, timestamp, uniqueId: String(told.body.uniqueId) }
  }

  async addSample(upload: Uploaded, bytes = videoBytes(1_500, 2), name = 'sample.mp4'): Promise<void> {
    const begun = await this.post('/api/sampleupload', {
      fileExtension: name.slice(name.lastIndexOf('.')),
      fileSize: bytes.length,
      timestamp: upload.timestamp,
      contentType: 'video/mp4',
      originalFileName: name,
    })
    if (begun.status !== 200) throw new Error(`sample answered ${begun.text}`)
    const sent = await this.service.put(String(begun.body.uploadUrl), bytes)
    if (sent.status !== 200) throw new Error(`PUT answered ${sent.text}`)
  }

  start(upload: Uploaded): Promise<Answer> {
    return this.post('/api/repair', {
      videoPath: upload.fileName,
      videocreatedTime: upload.timestamp,
      videoName: 'label',
    })
  }

  /** Uploads, adds a sample, starts. */
  async begin(bytes = videoBytes()): Promise<Uploaded> {
    const upload = await this.upload(bytes)
    await this.addSample(upload)
    const started = await this.start(upload)
    if (started.status !== 200) throw new Error(`repair answered ${started.text}`)
    return upload
  }

  /** The whole way to a finished repair. */
  async repaired(verdict: Verdict = 'repaired', bytes = videoBytes()): Promise<Uploaded> {
    const upload = await this.begin(bytes)
    await finish(this.service, upload, verdict)
    return upload
  }

  /** Buys a pack at the demo store. */
  async buy(pack: string): Promise<void> {
    const links = await this.get(`/api/checkout_links?product=${pack.split('-')[0]}`)
    const packs = links.body.packs
    if (!Array.isArray(packs)) throw new Error(links.text)
    const url = new URL(String(packs.find((known) => known.id === pack)?.url), 'http://localhost')
    const paid = await this.service.app.inject({
      method: 'POST',
      url: `${url.pathname}/pay`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: url.searchParams.toString(),
    })
    if (paid.statusCode !== 200) throw new Error(paid.body)
  }
}

export function reportOf(verdict: Verdict): RepairReport {
  return {
    engine: 'test',
    kind: 'recording',
    verdict,
    format: 'isobmff',
    findings: [],
    omittedFindings: 0,
    strategies: [],
    tracks: [],
    pictures: [],
    seconds: 1,
  }
}

/** Ends the open repair of an upload as the worker does. */
export async function finish(service: Service, upload: Uploaded, verdict: Verdict | 'failed'): Promise<void> {
  const { context } = service
  const attempt = await takeRepair(context, await openRepairId(service, upload))
  if (!attempt) throw new Error('no repair is open')
  if (verdict === 'failed') {
    await failRepair(context, attempt, {
      message: 'The file holds nothing that can be repaired.',
      report: reportOf('unrepairable'),
    })
    return
  }
  const store = async (key: string, bytes: Buffer) => {
    const path = join(service.folder, 'made')
    await writeFile(path, bytes)
    await context.storage.storeFile(key, path, 'video/mp4')
    return key
  }
  const name = `${attempt.repair.id}-${attempt.repair.attempt}`
  const resultKey = await store(`results/${name}.mp4`, Buffer.from('the whole result'))
  const previewKey = await store(`previews/${name}.preview.mp4`, Buffer.from('the preview'))
  await completeRepair(context, attempt, reportOf(verdict), {
    resultKey,
    resultSize: 16,
    previewKey,
    playableKey: previewKey,
  })
}

/** Id of the waiting or running repair of an upload. */
export async function openRepairId(service: Service, upload: Uploaded): Promise<string> {
  const { listJobs } = await import('@mendframe/backend')
  const jobs = await listJobs(service.context, ['queued', 'running'], 1000)
  const job = jobs.find((known) => known.timestamp === upload.timestamp)
  if (!job) throw new Error('no repair is open')
  return job.id
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    return { list: value }
  } catch {
    return {}
  }
}
