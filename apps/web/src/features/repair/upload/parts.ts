import { ApiFailure } from '../../../shared/api/failure.ts'
import { MAX_UNANSWERED, pauseAfter, untilAnswered } from './patience.ts'
import { textOfPut, UploadFailed } from './upload-errors.ts'
import type { UploadPorts, UploadRequest, UploadTicket } from './upload-ports.ts'

/** Parts on their way at the same time: enough to fill a line, few enough for a phone's memory. */
const CONCURRENCY = 3
/** Addresses signed at once; the contract allows 64, and those that are not used soon expire. */
const SIGN_BATCH = 12
/** Tries of a part that is answered with no, or arrives damaged. */
const MAX_TRIES = 6
/** What the service says of an upload that nothing can be added to. */
const OVER: ReadonlySet<string> = new Set(['file.unknown', 'upload.closed'])
/** Rounds of asking the service which parts it misses before giving up. */
const MAX_ROUNDS = 3

interface OpenUpload extends UploadTicket {
  readonly uploadId: string
  readonly partSize: number
  readonly partCount: number
  readonly arrived: ReadonlySet<number>
}

/** Names an upload across visits: the same file for the same purpose continues where it stopped. */
export function uploadKey(request: UploadRequest): string {
  const { file, role, product, timestamp } = request
  return ['upload', product, role, timestamp ?? '', file.name, file.size, file.lastModified].join('|')
}

/** Sends a file in parts: each part is tried again, missing ones are asked for, an earlier visit's parts count. */
export async function uploadInParts(request: UploadRequest, ports: UploadPorts): Promise<UploadTicket> {
  const key = uploadKey(request)
  const open = await openOrContinue(request, ports, key)
  const sender = new PartSender(request, ports, open)
  request.onResume(sender.sentBytes())
  let missing = partNumbers(open).filter((number) => !open.arrived.has(number))
  for (let round = 1; ; round += 1) {
    await sender.send(missing)
    try {
      await untilAnswered(
        () => {
          request.onConfirming()
          return ports.parts.complete(open.uploadId)
        },
        request,
        ports,
      )
      break
    } catch (cause) {
      if (!(cause instanceof ApiFailure) || cause.code !== 'upload.incomplete' || round >= MAX_ROUNDS)
        throw cause
      const listing = await untilAnswered(() => ports.parts.list(open.uploadId), request, ports)
      const arrived = wholeParts(listing, request.file.size)
      missing = partNumbers(open).filter((number) => !arrived.has(number))
    }
  }
  ports.memory.forget(key)
  return { fileName: open.fileName, timestamp: open.timestamp }
}

/** Gives an unfinished upload up, so that its space is free at once. */
export async function abandonParts(request: UploadRequest, ports: UploadPorts): Promise<void> {
  const key = uploadKey(request)
  const uploadId = ports.memory.recall(key)
  if (uploadId === undefined) return
  ports.memory.forget(key)
  await ports.parts.abort(uploadId)
}

function partNumbers(open: OpenUpload): number[] {
  return Array.from({ length: open.partCount }, (_, index) => index + 1)
}

function sizeOfPart(number: number, open: Pick<OpenUpload, 'partSize' | 'partCount'>, total: number): number {
  return number < open.partCount ? open.partSize : total - open.partSize * (open.partCount - 1)
}

type Listing = Awaited<ReturnType<UploadPorts['parts']['list']>>

function wholeParts(listing: Listing, total: number): Set<number> {
  return new Set(
    listing.parts
      .filter((part) => part.size === sizeOfPart(part.partNumber, listing, total))
      .map((part) => part.partNumber),
  )
}

async function openOrContinue(request: UploadRequest, ports: UploadPorts, key: string): Promise<OpenUpload> {
  const known = ports.memory.recall(key)
  if (known !== undefined) {
    try {
      const listing = await untilAnswered(() => ports.parts.list(known), request, ports)
      if (listing.fileSize === request.file.size) {
        return { ...listing, uploadId: known, arrived: wholeParts(listing, request.file.size) }
      }
    } catch (cause) {
      // The service does not know this upload any more: begin a new one. Any other failure is one.
      if (!(cause instanceof ApiFailure) || !OVER.has(cause.code)) throw cause
    }
    ports.memory.forget(key)
  }
  const created = await ports.parts.create(request)
  ports.memory.remember(key, created.uploadId)
  return { ...created, arrived: new Set() }
}

class PartSender {
  readonly #request: UploadRequest
  readonly #ports: UploadPorts
  readonly #open: OpenUpload
  readonly #sent = new Map<number, number>()
  readonly #addresses = new Map<number, string>()
  #signing: Promise<void> = Promise.resolve()

  constructor(request: UploadRequest, ports: UploadPorts, open: OpenUpload) {
    this.#request = request
    this.#ports = ports
    this.#open = open
    for (const number of open.arrived) this.#sent.set(number, sizeOfPart(number, open, request.file.size))
  }

  sentBytes(): number {
    let sum = 0
    for (const bytes of this.#sent.values()) sum += bytes
    return sum
  }

  /** Sends the parts, a few at a time; the first failure stops the others. */
  async send(numbers: readonly number[]): Promise<void> {
    const queue = [...numbers]
    const stop = new AbortController()
    const signal = AbortSignal.any([this.#request.signal, stop.signal])
    const work = async () => {
      for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
        await this.#sendPart(number, queue, signal)
      }
    }
    const workers = Array.from({ length: Math.min(CONCURRENCY, numbers.length) }, work)
    try {
      await Promise.all(workers)
    } catch (cause) {
      stop.abort(cause)
      await Promise.allSettled(workers)
      throw cause
    }
  }

  async #sendPart(number: number, queue: readonly number[], signal: AbortSignal): Promise<void> {
    const { file } = this.#request
    const start = (number - 1) * this.#open.partSize
    const body = file.slice(start, start + sizeOfPart(number, this.#open, file.size))
    for (let attempt = 1; ; attempt += 1) {
      const url = await this.#addressOf(number, queue, signal)
      const outcome = await this.#ports.put({
        url,
        body,
        contentType: undefined,
        signal,
        onProgress: (bytes) => this.#progress(number, Math.min(bytes, body.size)),
      })
      if (outcome.kind === 'done' && (await this.#isIntact(body, outcome.etag))) {
        this.#progress(number, body.size)
        return
      }
      this.#progress(number, 0)
      // An address may have expired, or bound something else: ask for a new one.
      this.#addresses.delete(number)
      if (attempt >= (outcome.kind === 'broken' ? MAX_UNANSWERED : MAX_TRIES)) {
        throw new UploadFailed(
          outcome.kind === 'done'
            ? 'A part arrived damaged several times.'
            : textOfPut(outcome, this.#ports.isOnline()),
        )
      }
      if (outcome.kind === 'broken' && !this.#ports.isOnline()) {
        this.#request.onWaiting()
        await this.#ports.online(signal)
        attempt = 0
      } else {
        if (outcome.kind === 'broken' && attempt > 1) this.#request.onWaiting()
        await this.#ports.pause(pauseAfter(attempt), signal)
      }
    }
  }

  #progress(number: number, bytes: number): void {
    this.#sent.set(number, bytes)
    this.#request.onProgress(this.sentBytes())
  }

  /** Whether the store's checksum, where it is an MD5 as most stores give it, is that of the part. */
  async #isIntact(body: Blob, etag: string | undefined): Promise<boolean> {
    const claimed = /^"?([0-9a-f]{32})"?$/i.exec(etag ?? '')?.[1]
    if (claimed === undefined) return true
    return (await this.#ports.md5(body)) === claimed.toLowerCase()
  }

  /** The signed address of a part. Calls to sign go one after the other, so that no part is signed twice. */
  async #addressOf(number: number, queue: readonly number[], signal: AbortSignal): Promise<string> {
    for (;;) {
      const known = this.#addresses.get(number)
      if (known !== undefined) return known
      signal.throwIfAborted()
      const before = this.#signing
      const turn = before.then(async () => {
        if (this.#addresses.has(number)) return
        const next = queue.filter((item) => !this.#addresses.has(item)).slice(0, SIGN_BATCH - 1)
        const { urls } = await untilAnswered(
          () => this.#ports.parts.sign(this.#open.uploadId, [number, ...next]),
          { signal, onWaiting: this.#request.onWaiting },
          this.#ports,
        )
        for (const { partNumber, uploadUrl } of urls) this.#addresses.set(partNumber, uploadUrl)
        if (!this.#addresses.has(number)) throw new UploadFailed('The service gave no address for a part.')
      })
      this.#signing = turn.catch(() => undefined)
      await turn
    }
  }
}
