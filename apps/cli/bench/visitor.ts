import { setTimeout } from 'node:timers/promises'

const LOOK_MS = 100

type Body = Readonly<Record<string, unknown>>

/** A file as it is uploaded. */
export interface Upload {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly extension: string
}

/** Names of an upload that is ready to be repaired. */
export interface Ready {
  readonly videoPath: string
  readonly videocreatedTime: string
}

/** Somebody with an account, doing over HTTP what the page does. */
export class Visitor {
  readonly #base: string
  readonly #token: string

  private constructor(base: string, token: string) {
    this.#base = base
    this.#token = token
  }

  /** @throws Error when the service refuses. */
  static async signUp(base: string): Promise<Visitor> {
    const email = `visitor-${Math.random().toString(36).slice(2)}@example.com`
    const reply = await ask(base, '', 'POST', '/api/signup', { email, password: 'a password' })
    return new Visitor(base, String(reply.token))
  }

  /** Buys a pack at the demo store. */
  async buy(pack: string): Promise<void> {
    const { packs } = await this.#ask('GET', `/api/checkout_links?product=${pack.split('-')[0]}`)
    const chosen = Array.isArray(packs) ? packs.find(({ id }) => id === pack) : undefined
    const url = new URL(String(chosen?.url), this.#base)
    const paid = await fetch(new URL(`${url.pathname}/pay`, this.#base), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: url.searchParams.toString(),
      redirect: 'manual',
    })
    if (paid.status >= 400) throw new Error(`the demo store answered ${paid.status}`)
  }

  /** Uploads a damaged file and a sample. */
  async upload(damaged: Upload, sample: Upload): Promise<Ready> {
    const terms = (file: Upload) => ({
      fileExtension: file.extension,
      fileSize: file.bytes.length,
      contentType: 'application/octet-stream',
    })
    const begun = await this.#ask('POST', '/api/upload', terms(damaged))
    await this.#put(begun, damaged)
    const { fileName, timestamp } = begun
    const originalFileName = `film.${damaged.extension}`
    await this.#ask('POST', '/api/video-metadata', {
      fileName,
      timestamp,
      fileExtension: damaged.extension,
      originalFileName,
      info: '',
    })
    const beside = { ...terms(sample), timestamp, originalFileName: `sample.${sample.extension}` }
    await this.#put(await this.#ask('POST', '/api/sampleupload', beside), sample)
    return { videoPath: String(fileName), videocreatedTime: String(timestamp) }
  }

  async start(ready: Ready): Promise<void> {
    await this.#ask('POST', '/api/repair', { ...ready, videoName: 'film' })
  }

  /** How a repair stands: `Running`, `Completed`, `Failed`. */
  async status({ videocreatedTime }: Ready): Promise<string> {
    const { status } = await this.#ask('GET', `/api/checkprogress?time=${videocreatedTime}`)
    return String(status)
  }

  /** Waits for the end of a repair and answers how it ended. */
  async ended(ready: Ready): Promise<string> {
    for (;;) {
      const status = await this.status(ready)
      if (status !== 'Running') return status
      await setTimeout(LOOK_MS)
    }
  }

  async #put({ uploadUrl }: Body, { bytes }: Upload): Promise<void> {
    const reply = await fetch(new URL(String(uploadUrl), this.#base), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    })
    if (!reply.ok) throw new Error(`the store answered ${reply.status}: ${await reply.text()}`)
  }

  #ask(method: 'GET' | 'POST', path: string, body?: Body): Promise<Body> {
    return ask(this.#base, this.#token, method, path, body)
  }
}

async function ask(
  base: string,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: Body,
): Promise<Body> {
  const reply = await fetch(new URL(path, base), {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}
