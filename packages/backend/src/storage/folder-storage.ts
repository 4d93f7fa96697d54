import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
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
import { isAbsent, removeOlder, sync } from './files.ts'
import { FolderParts } from './folder-parts.ts'
import { Meter } from './meter.ts'
import { type SignedAccess, signAccess, verifyAccess } from './signing.ts'

/** Objects as files of a folder. Uploads are written beside it and renamed into it when they are whole. */
export class FolderStorage implements Storage {
  readonly kind = 'folder'
  readonly #objects: string
  readonly #incoming: string
  readonly #parts: FolderParts
  readonly #meters = new Set<Meter>()
  readonly #secret: Buffer
  readonly #base: string
  readonly #clock: Clock

  /** `base` stands before signed addresses: an origin, or nothing. */
  constructor(folder: string, secret: Buffer, base: string, clock: Clock) {
    this.#objects = join(folder, 'objects')
    this.#incoming = join(folder, 'incoming')
    this.#parts = new FolderParts(join(folder, 'parts'))
    this.#secret = secret
    this.#base = base
    this.#clock = clock
  }

  async prepare(): Promise<void> {
    for (const folder of [this.#objects, this.#incoming, this.#parts.folder]) {
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
   * Takes the body of a verified PUT, of `announced` bytes if that was told. Nothing is visible until all bytes have come.
   * @throws UploadRefused for more bytes than the address allows, or another number than announced.
   */
  async receive(access: SignedAccess, body: Readable, announced?: number): Promise<number> {
    const meter = new Meter(access, announced)
    this.#meters.add(meter)
    try {
      return await this.#take(access, body, meter)
    } finally {
      this.#meters.delete(meter)
    }
  }

  /** Bytes that uploads under way have still to bring. */
  coming(): number {
    let sum = 0
    for (const meter of this.#meters) sum += meter.expected - meter.received
    return sum
  }

  async #take(access: SignedAccess, body: Readable, meter: Meter): Promise<number> {
    if (access.part) return this.#parts.receive(access.part, body, meter)
    const temporary = join(this.#incoming, randomId())
    try {
      await pipeline(body, meter, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }))
      meter.check()
      await rename(temporary, await this.#ready(access.key))
      return meter.received
    } finally {
      await rm(temporary, { force: true })
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

  /** A second name for the same bytes where the disk has such: no upload writes into a file that has become an object. */
  async copy(from: string, to: string): Promise<StoredObject | undefined> {
    const [source, target] = [this.#path(from), await this.#ready(to)]
    try {
      await link(source, target)
    } catch (error) {
      if (isAbsent(error)) return undefined
      await this.storeCopy(to, source)
    }
    return this.head(to)
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

  createParts(): Promise<string> {
    return this.#parts.create()
  }

  listParts(_key: string, driverId: string): Promise<readonly StoredPart[]> {
    return this.#parts.list(driverId)
  }

  async completeParts(key: string, driverId: string, count: number): Promise<void> {
    await this.#parts.join(driverId, count, await this.#ready(key))
  }

  abortParts(_key: string, driverId: string): Promise<void> {
    return this.#parts.drop(driverId)
  }

  async sweepUnfinished(before: Date): Promise<void> {
    await removeOlder(this.#incoming, before)
    await this.#parts.sweep(before)
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

  async #ready(key: string): Promise<string> {
    const path = this.#path(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
}
