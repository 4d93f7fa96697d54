import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Config } from '../config/config.ts'
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
import { attachment } from './disposition.ts'
import { copyObject } from './s3-copy.ts'

/** Bytes of a part when the worker stores a large result. */
const STORE_PART_BYTES = 64 * 2 ** 20

/** Objects in any S3-compatible store. */
export class S3Storage implements Storage {
  readonly kind = 's3'
  readonly #bucket: string
  readonly #client: S3Client
  /** Signs addresses for browsers, which may reach the store under another name. */
  readonly #signer: S3Client

  constructor(config: S3Config) {
    this.#bucket = config.bucket
    this.#client = new S3Client(clientConfig(config, config.endpoint))
    this.#signer = new S3Client(clientConfig(config, config.publicEndpoint ?? config.endpoint))
  }

  signPut(key: string, terms: PutTerms): Promise<string> {
    const command = new PutObjectCommand({
      ...this.#at(key),
      ContentType: terms.contentType,
      ...(terms.size === undefined ? {} : { ContentLength: terms.size }),
    })
    return getSignedUrl(this.#signer, command, {
      expiresIn: terms.seconds,
      signableHeaders: new Set(['content-type', 'content-length']),
    })
  }

  signGet(key: string, terms: GetTerms): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: terms.contentType,
      ResponseContentDisposition: terms.saveAs === undefined ? 'inline' : attachment(terms.saveAs),
    })
    return getSignedUrl(this.#signer, command, { expiresIn: terms.seconds })
  }

  signPart(key: string, driverId: string, part: PartTerms): Promise<string> {
    const command = new UploadPartCommand({
      ...this.#at(key),
      UploadId: driverId,
      PartNumber: part.number,
      ContentLength: part.size,
    })
    return getSignedUrl(this.#signer, command, {
      expiresIn: part.seconds,
      signableHeaders: new Set(['content-length']),
    })
  }

  async head(key: string): Promise<StoredObject | undefined> {
    try {
      const about = await this.#client.send(new HeadObjectCommand(this.#at(key)))
      return { key, size: about.ContentLength ?? 0, modified: about.LastModified ?? new Date(0) }
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }

  async read(key: string, start: number, length: number): Promise<Uint8Array> {
    try {
      const range = `bytes=${start}-${start + length - 1}`
      const answer = await this.#client.send(new GetObjectCommand({ ...this.#at(key), Range: range }))
      return (await answer.Body?.transformToByteArray()) ?? new Uint8Array()
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416)
        return new Uint8Array()
      throw error
    }
  }

  async open(key: string): Promise<Readable> {
    const answer = await this.#client.send(new GetObjectCommand(this.#at(key)))
    if (!(answer.Body instanceof Readable)) throw new Error('the store answered without a body')
    return answer.Body
  }

  async materialise(key: string, scratch: string, signal?: AbortSignal): Promise<string> {
    const path = join(scratch, `${randomId()}${extname(key)}`)
    await pipeline(await this.open(key), createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})
    return path
  }

  async storeFile(key: string, path: string, contentType: string): Promise<void> {
    const { size } = await stat(path)
    if (size <= STORE_PART_BYTES) {
      const Body = createReadStream(path)
      await this.#client.send(
        new PutObjectCommand({ ...this.#at(key), Body, ContentLength: size, ContentType: contentType }),
      )
      return
    }
    const driverId = await this.createParts(key, contentType)
    try {
      const count = Math.ceil(size / STORE_PART_BYTES)
      for (let number = 1; number <= count; number++) {
        const start = (number - 1) * STORE_PART_BYTES
        const end = Math.min(size, start + STORE_PART_BYTES) - 1
        await this.#client.send(
          new UploadPartCommand({
            ...this.#at(key),
            UploadId: driverId,
            PartNumber: number,
            Body: createReadStream(path, { start, end }),
            ContentLength: end - start + 1,
          }),
        )
      }
      await this.completeParts(key, driverId, count)
    } catch (error) {
      await this.abortParts(key, driverId)
      throw error
    }
  }

  storeCopy(key: string, path: string, contentType: string): Promise<void> {
    return this.storeFile(key, path, contentType)
  }

  async copy(from: string, to: string): Promise<StoredObject | undefined> {
    const found = await this.head(from)
    if (!found) return undefined
    try {
      await copyObject(this.#client, this.#bucket, this.#at(from).Key, this.#at(to).Key, found.size)
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
    return this.head(to)
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(key)))
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    let token: string | undefined
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      )
      for (const found of page.Contents ?? []) {
        if (found.Key !== undefined && isKey(found.Key)) {
          yield { key: found.Key, size: found.Size ?? 0, modified: found.LastModified ?? new Date(0) }
        }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async createParts(key: string, contentType: string): Promise<string> {
    const answer = await this.#client.send(
      new CreateMultipartUploadCommand({ ...this.#at(key), ContentType: contentType }),
    )
    if (answer.UploadId === undefined) throw new Error('the store opened no upload')
    return answer.UploadId
  }

  async listParts(key: string, driverId: string): Promise<readonly StoredPart[]> {
    const parts = await this.#parts(key, driverId)
    return parts.map(({ number, size }) => ({ partNumber: number, size }))
  }

  async completeParts(key: string, driverId: string, count: number): Promise<void> {
    const parts = await this.#parts(key, driverId)
    if (parts.length !== count) throw new Error('parts are missing')
    await this.#client.send(
      new CompleteMultipartUploadCommand({
        ...this.#at(key),
        UploadId: driverId,
        MultipartUpload: { Parts: parts.map(({ number, tag }) => ({ PartNumber: number, ETag: tag })) },
      }),
    )
  }

  async abortParts(key: string, driverId: string): Promise<void> {
    try {
      await this.#client.send(new AbortMultipartUploadCommand({ ...this.#at(key), UploadId: driverId }))
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }

  async sweepUnfinished(before: Date): Promise<void> {
    const page = await this.#client.send(new ListMultipartUploadsCommand({ Bucket: this.#bucket }))
    for (const found of page.Uploads ?? []) {
      const { Key: key, UploadId: driverId, Initiated: begun } = found
      if (key === undefined || driverId === undefined || begun === undefined) continue
      if (isKey(key) && begun < before) await this.abortParts(key, driverId)
    }
  }

  close(): void {
    this.#client.destroy()
    this.#signer.destroy()
  }

  async #parts(key: string, driverId: string): Promise<{ number: number; size: number; tag: string }[]> {
    const parts: { number: number; size: number; tag: string }[] = []
    let marker: string | undefined
    do {
      const page = await this.#client.send(
        new ListPartsCommand({
          ...this.#at(key),
          UploadId: driverId,
          ...(marker === undefined ? {} : { PartNumberMarker: marker }),
        }),
      )
      for (const part of page.Parts ?? []) {
        parts.push({ number: part.PartNumber ?? 0, size: part.Size ?? 0, tag: part.ETag ?? '' })
      }
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
    } while (marker !== undefined)
    return parts
  }

  #at(key: string): { Bucket: string; Key: string } {
    if (!isKey(key)) throw new Error('not a storage key')
    return { Bucket: this.#bucket, Key: key }
  }
}

function clientConfig(config: S3Config, endpoint: string | undefined): S3ClientConfig {
  return {
    region: config.region,
    forcePathStyle: config.forcePathStyle,
    // Stores other than Amazon's refuse the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(config.accessKeyId !== undefined && config.secretAccessKey !== undefined
      ? { credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey } }
      : {}),
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}
