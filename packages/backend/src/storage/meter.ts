import { Transform, type TransformCallback } from 'node:stream'
import type { SignedAccess } from './signing.ts'

/** Why the folder refuses an upload's bytes. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
  readonly reason: 'too-large' | 'size-differs' | 'closed'

  constructor(reason: 'too-large' | 'size-differs' | 'closed') {
    super(`upload refused: ${reason}`)
    this.reason = reason
  }
}

/** Counts an upload's bytes and stops it at the first one too many. */
export class Meter extends Transform {
  received = 0
  readonly #exact: number | undefined
  readonly #most: number

  /** Bytes that will come if all goes well. */
  readonly expected: number

  constructor(access: SignedAccess, announced?: number) {
    super()
    this.#exact = access.size
    this.#most = access.size ?? access.maxBytes ?? 0
    this.expected = Math.min(announced ?? this.#most, this.#most)
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
