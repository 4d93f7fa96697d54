import type { Readable } from 'node:stream'

export interface PutTerms {
  readonly contentType: string
  /** Exact bytes, when they were announced. */
  readonly size?: number
  /** Most bytes taken. A driver that cannot bind it leaves it to the check after the upload. */
  readonly maxBytes: number
  /** Seconds the address is valid. */
  readonly seconds: number
}

export interface GetTerms {
  readonly contentType: string
  /** Name the browser saves under; absent: shown in the page. */
  readonly saveAs?: string
  readonly seconds: number
}

export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

export interface StoredPart {
  readonly partNumber: number
  readonly size: number
}

/** A part to be sent: numbered from 1, `size` bytes from byte `offset` of the file. */
export interface PartTerms {
  readonly number: number
  readonly size: number
  readonly offset: number
  readonly seconds: number
}

/**
 * Where the files are. An object is absent, then whole: no driver ever shows half of one. Keys are our own
 * (`isKey`), never made of what a user typed.
 */
export interface Storage {
  readonly kind: 'folder' | 's3'
  /** Address that takes one PUT of these terms. */
  signPut(key: string, terms: PutTerms): Promise<string>
  /** Address that answers GET and HEAD, with ranges. */
  signGet(key: string, terms: GetTerms): Promise<string>
  head(key: string): Promise<StoredObject | undefined>
  /** Up to `length` bytes from `start`; fewer at the end. @throws when the object is absent. */
  read(key: string, start: number, length: number): Promise<Uint8Array>
  open(key: string): Promise<Readable>
  /** Path at which the object can be read: the object itself, or a copy made in `scratch`. */
  materialise(key: string, scratch: string, signal?: AbortSignal): Promise<string>
  /** Stores a finished local file, which may be moved. */
  storeFile(key: string, path: string, contentType: string): Promise<void>
  /** Stores a copy of a local file. */
  storeCopy(key: string, path: string, contentType: string): Promise<void>
  /**
   * Gives an object's bytes of this moment a second key; what happens to the first later does not touch them.
   * `undefined` when there is no such object.
   */
  copy(from: string, to: string): Promise<StoredObject | undefined>
  /** Deletes; absent is fine. */
  remove(key: string): Promise<void>
  /** All objects below a prefix. */
  list(prefix: string): AsyncIterable<StoredObject>

  createParts(key: string, contentType: string): Promise<string>
  signPart(key: string, driverId: string, part: PartTerms): Promise<string>
  listParts(key: string, driverId: string): Promise<readonly StoredPart[]>
  /** Joins the parts 1 to `count` into the object. @throws when one is missing. */
  completeParts(key: string, driverId: string, count: number): Promise<void>
  /** Gives up; absent is fine. */
  abortParts(key: string, driverId: string): Promise<void>
  /** Drops uploads that were begun before a time and neither finished nor given up. */
  sweepUnfinished(before: Date): Promise<void>
  close(): void
}

/** The shapes of keys that exist: a known folder, then letters and digits, dots, dashes. */
const KEY = /^(?:uploads|sealed|results|previews|manual)\/[a-z0-9][a-z0-9-]{0,79}(?:\.[a-z0-9]{1,8}){0,2}$/

export function isKey(text: string): boolean {
  return KEY.test(text)
}
