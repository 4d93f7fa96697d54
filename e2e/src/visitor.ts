import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'

export const PASSWORD = 'a good long passphrase'
const POLL_MS = 100
const REPAIR_PATIENCE_MS = 120_000

/** An upload of a visitor. */
export interface Upload {
  readonly fileName: string
  readonly timestamp: string
  readonly uniqueId: string
}

type Reply = Readonly<Record<string, unknown>>
type Product = 'video' | 'photo'

/** Somebody with an account. What a journey takes for granted is done here by calls, as the pages make them. */
export class Visitor {
  readonly email: string
  readonly #address: string
  readonly #token: string
  readonly #user: unknown

  private constructor(address: string, email: string, token: string, user: unknown) {
    this.#address = address
    this.email = email
    this.#token = token
    this.#user = user
  }

  /** Makes a new account of the product at `address`. */
  static async signUp(address: string, name = 'visitor'): Promise<Visitor> {
    const email = `${name}-${randomBytes(3).toString('hex')}@example.org`
    const reply = await post(address, '/api/signup', { email, password: PASSWORD })
    return new Visitor(address, email, String(reply.token), reply.user)
  }

  /** What the browser remembers of somebody who is signed in to both flavours. */
  get storageState() {
    const user = JSON.stringify(this.#user)
    const localStorage = [
      { name: 'token', value: this.#token },
      { name: 'user', value: user },
      { name: 'photouser', value: user },
    ]
    return { cookies: [], origins: [{ origin: this.#address, localStorage }] }
  }

  /** Ends the session on the service; a browser that remembers it does not know. */
  async signOutEverywhere(): Promise<void> {
    await this.#post('/api/logout', {})
  }

  /** Uploads a damaged video. */
  async upload(path: string): Promise<Upload> {
    const bytes = readFileSync(path)
    const fileExtension = extname(path)
    const begun = await this.#post('/api/upload', {
      fileExtension,
      contentType: 'video/mp4',
      fileSize: bytes.length,
    })
    await this.#put(String(begun.uploadUrl), bytes)
    const { fileName, timestamp } = begun
    const told = await this.#post('/api/video-metadata', {
      fileName,
      fileExtension,
      timestamp,
      originalFileName: basename(path),
      info: '',
    })
    return { fileName: String(fileName), timestamp: String(timestamp), uniqueId: String(told.uniqueId) }
  }

  /** Adds the sample to an upload. */
  async addSample({ timestamp }: Upload, path: string): Promise<void> {
    const bytes = readFileSync(path)
    const begun = await this.#post('/api/sampleupload', {
      fileExtension: extname(path),
      fileSize: bytes.length,
      timestamp,
      contentType: 'video/mp4',
      originalFileName: basename(path),
    })
    await this.#put(String(begun.uploadUrl), bytes)
  }

  /** Starts the repair of an upload that has its sample. */
  async start({ fileName, timestamp }: Upload): Promise<void> {
    const videoName = 'a film'
    await this.#post('/api/repair', { videoPath: fileName, videocreatedTime: timestamp, videoName })
  }

  /** Uploads both, starts the repair and waits until it has ended, however it ends. */
  async repair(damaged: string, sample: string): Promise<Upload> {
    const upload = await this.upload(damaged)
    await this.addSample(upload, sample)
    await this.start(upload)
    const until = Date.now() + REPAIR_PATIENCE_MS
    for (;;) {
      const { status } = await this.#get(`/api/checkprogress?time=${upload.timestamp}`)
      if (status !== 'Running') return upload
      if (Date.now() > until) throw new Error('the repair does not end')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** Buys the preselected pack of a flavour at the demo store. */
  async goPremium(product: Product = 'video'): Promise<void> {
    const { packs } = await this.#get(`/api/checkout_links?product=${product}`)
    if (!Array.isArray(packs)) throw new Error('nothing is on sale')
    const url = new URL(String(packs[0].url), this.#address)
    const reply = await fetch(`${url.origin}${url.pathname}/pay`, { method: 'POST', body: url.searchParams })
    if (!reply.ok) throw new Error(`the demo store answered ${reply.status}`)
  }

  #post(path: string, body: Reply): Promise<Reply> {
    return post(this.#address, path, body, this.#token)
  }

  async #get(path: string): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#token}` }
    return replyOf(path, await fetch(this.#address + path, { headers }))
  }

  async #put(url: string, body: Buffer<ArrayBuffer>): Promise<void> {
    const headers = { 'content-type': 'video/mp4' }
    const reply = await fetch(new URL(url, this.#address), { method: 'PUT', headers, body })
    if (!reply.ok) throw new Error(`the upload answered ${reply.status} ${await reply.text()}`)
  }
}

async function post(address: string, path: string, body: Reply, token?: string): Promise<Reply> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return replyOf(path, await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function replyOf(path: string, reply: Response): Promise<Reply> {
  if (!reply.ok) throw new Error(`${path} answered ${reply.status} ${await reply.text()}`)
  return reply.json()
}
