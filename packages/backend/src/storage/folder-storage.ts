import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../ports/clock.ts'
import {
  type GetTerms,
  isKey,
  type PartTerms,
  type PutTerms,
  type Storage,
  type StoredObject,
  type StoredPart,
} from '../ports/storage.ts'
import { randomId } from '../random.ts'
import { type SignedAccess, signAccess, verifyAccess } from './signing.ts'

/** Why the folder refuses an upload's bytes. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
  readonly reason: 'too-large' | 'size-differs' | 'closed'

  constructor(reason: 'too-large' | 'size-differs' | 'closed') {
    super(`upload refused: ${reason}`)
    this.reason = reason
  }
}

/** Name of the growing file of an upload in parts. */
const WHOLE = 'whole'

/** Objects as files of a folder. Uploads are written beside it and renamed into it when they are whole. */
export class FolderStorage implements Storage {
  readonly kind = 'folder'
  readonly #objects: string
  readonly #incoming: string
  readonly #parts: string
  readonly #secret: Buffer
  readonly #base: string
  readonly #clock: Clock

  /** `base` stands before signed addresses: an origin, or nothing. */
  constructor(folder: string, secret: Buffer, base: string, clock: Clock) {
    this.#objects = join(folder, 'objects')
    this.#incoming = join(folder, 'incoming')
    this.#parts = join(folder, 'parts')
    this.#secret = secret
    this.#base = base
    this.#clock = clock
  }

  async prepare(): Promise<void> {
    for (const folder of [this.#objects, this.#incoming, this.#parts]) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    }
  }

  /** Drops what interrupted uploads left; only when no other process uses the folder. */
  async clearIncoming(): Promise<void> {
    for (const name of await readdir(this.#incoming)) await rm(join(this.#incoming, name), { force: true })
  }

  async signPut(key: string, terms: PutTerms): Promise<string> {
    const { contentType, size, maxBytes, seconds } = terms
    return this.#sign({
      method: 'PUT',
      key,
      expires: this.#expiry(seconds),
      contentType,
      maxBytes,
      ...(size === undefined ? {} : { size }),
    })
  }

  async signGet(key: string, terms: GetTerms): Promise<string> {
    const { contentType, saveAs, seconds } = terms
    const name = saveAs === undefined ? {} : { saveAs }
    return this.#sign({ method: 'GET', key, expires: this.#expiry(seconds), contentType, ...name })
  }

  async signPart(key: string, driverId: string, terms: PartTerms): Promise<string> {
    const { size, number, offset } = terms
    const part = { driverId, number, offset }
    return this.#sign({ method: 'PUT', key, expires: this.#expiry(terms.seconds), size, part })
  }

  /** Checks a signed address that a browser came with. */
  verify(method: string, key: string, query: URLSearchParams): SignedAccess | undefined {
    return isKey(key) ? verifyAccess(method, key, query, this.#secret, this.#clock.now()) : undefined
  }

  /**
   * Takes the body of a verified PUT. Nothing is visible until all bytes have come.
   * @throws UploadRefused for more bytes than the address allows, or another number than announced.
   */
  async receive(access: SignedAccess, body: Readable): Promise<number> {
    return access.part ? this.#receivePart(access, access.part, body) : this.#receiveWhole(access, body)
  }

  async #receiveWhole(access: SignedAccess, body: Readable): Promise<number> {
    const temporary = join(this.#incoming, randomId())
    try {
      const meter = new Meter(access)
      await pipeline(body, meter, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }))
      meter.check()
      await rename(temporary, await this.#ready(access.key))
      return meter.received
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /** Parts are written to their place in one file, so that joining them is a rename; an empty file marks each whole one. */
  async #receivePart(
    access: SignedAccess,
    part: NonNullable<SignedAccess['part']>,
    body: Readable,
  ): Promise<number> {
    const folder = this.#partFolder(part.driverId)
    const marker = join(folder, String(part.number))
    await rm(marker, { force: true })
    try {
      const meter = new Meter(access)
      const file = createWriteStream(join(folder, WHOLE), { flags: 'r+', start: part.offset, flush: true })
      await pipeline(body, meter, file)
      meter.check()
      await writeFile(marker, String(meter.received), { mode: 0o600 })
      return meter.received
    } catch (error) {
      throw isAbsent(error) ? new UploadRefused('closed') : error
    }
  }

  async head(key: string): Promise<StoredObject | undefined> {
    try {
      const about = await stat(this.#path(key))
      return { key, size: about.size, modified: about.mtime }
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }

  async read(key: string, start: number, length: number): Promise<Uint8Array> {
    const file = await open(this.#path(key))
    try {
      const buffer = new Uint8Array(length)
      const { bytesRead } = await file.read(buffer, 0, length, start)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  async open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    const file = await open(this.#path(key))
    return file.createReadStream(range ?? {})
  }

  async materialise(key: string): Promise<string> {
    const path = this.#path(key)
    await stat(path)
    return path
  }

  async storeFile(key: string, path: string): Promise<void> {
    await sync(path)
    try {
      await rename(path, await this.#ready(key))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
      await this.storeCopy(key, path)
    }
  }

  async storeCopy(key: string, path: string): Promise<void> {
    const temporary = join(this.#incoming, randomId())
    try {
      await copyFile(path, temporary)
      await sync(temporary)
      await rename(temporary, await this.#ready(key))
    } finally {
      await rm(temporary, { force: true })
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true })
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    for (const folder of await readdir(this.#objects)) {
      for (const name of await readdir(join(this.#objects, folder))) {
        const key = `${folder}/${name}`
        if (!key.startsWith(prefix) || !isKey(key)) continue
        const found = await this.head(key)
        if (found) yield found
      }
    }
  }

  async createParts(): Promise<string> {
    const driverId = randomId()
    const folder = this.#partFolder(driverId)
    await mkdir(folder, { mode: 0o700 })
    await writeFile(join(folder, WHOLE), '', { mode: 0o600 })
    return driverId
  }

  async listParts(_key: string, driverId: string): Promise<readonly StoredPart[]> {
    const folder = this.#partFolder(driverId)
    const parts: StoredPart[] = []
    for (const name of await readdir(folder)) {
      if (!/^\d+$/.test(name)) continue
      parts.push({ partNumber: Number(name), size: Number(await readFile(join(folder, name), 'utf8')) })
    }
    return parts.sort((a, b) => a.partNumber - b.partNumber)
  }

  async completeParts(key: string, driverId: string, count: number): Promise<void> {
    const parts = await this.listParts(key, driverId)
    if (parts.length !== count) throw new Error('parts are missing')
    const folder = this.#partFolder(driverId)
    await rename(join(folder, WHOLE), await this.#ready(key))
    await rm(folder, { recursive: true, force: true })
  }

  async abortParts(_key: string, driverId: string): Promise<void> {
    await rm(this.#partFolder(driverId), { recursive: true, force: true })
  }

  async sweepUnfinished(before: Date): Promise<void> {
    for (const folder of [this.#incoming, this.#parts]) {
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const about = await stat(path)
        if (about.mtime < before) await rm(path, { recursive: true, force: true })
      }
    }
  }

  close(): void {}

  #sign(access: SignedAccess): string {
    return this.#base + signAccess(access, this.#secret)
  }

  #expiry(seconds: number): number {
    return Math.floor(this.#clock.now().getTime() / 1000) + seconds
  }

  #path(key: string): string {
    if (!isKey(key)) throw new Error('not a storage key')
    return join(this.#objects, key)
  }

  #partFolder(driverId: string): string {
    if (!/^[a-z0-9]+$/.test(driverId)) throw new Error('not an upload id')
    return join(this.#parts, driverId)
  }

  async #ready(key: string): Promise<string> {
    const path = this.#path(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
}

/** Counts an upload's bytes and stops it at the first one too many. */
class Meter extends Transform {
  received = 0
  readonly #exact: number | undefined
  readonly #most: number

  constructor(access: SignedAccess) {
    super()
    this.#exact = access.size
    this.#most = access.size ?? access.maxBytes ?? 0
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.received += chunk.length
    if (this.received <= this.#most) done(null, chunk)
    else done(new UploadRefused(this.#exact === undefined ? 'too-large' : 'size-differs'))
  }

  /** @throws UploadRefused when fewer bytes came than announced. */
  check(): void {
    if (this.#exact !== undefined && this.received !== this.#exact) throw new UploadRefused('size-differs')
  }
}

/** Makes a file's bytes durable before it gets its name. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
