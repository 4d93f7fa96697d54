import type { ByteSource } from '../src/bytes/source.ts'
import { EnvironmentError } from '../src/model/errors.ts'

/** A repeatable generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Repeatable noise. */
export function noise(length: number, seed: number): Uint8Array {
  const random = randomFrom(seed)
  return Uint8Array.from({ length }, () => Math.floor(random() * 256))
}

/** Passes reads on and counts the bytes. */
export class CountingSource implements ByteSource {
  readonly size: number
  bytesRead = 0
  readonly #inner: ByteSource

  constructor(inner: ByteSource) {
    this.#inner = inner
    this.size = inner.size
  }

  read(offset: number, target: Uint8Array): number {
    const read = this.#inner.read(offset, target)
    this.bytesRead += read
    return read
  }
}

/** A medium that fails from a given read on. */
export class FailingSource implements ByteSource {
  readonly size: number
  readonly #inner: ByteSource
  #left: number

  constructor(inner: ByteSource, goodReads: number) {
    this.#inner = inner
    this.size = inner.size
    this.#left = goodReads
  }

  read(offset: number, target: Uint8Array): number {
    if (this.#left-- <= 0) throw new EnvironmentError('the medium was taken out')
    return this.#inner.read(offset, target)
  }
}

/** A medium that claims more bytes than it gives: every read behind `available` comes back short. */
export class LyingSource implements ByteSource {
  readonly size: number
  readonly #inner: ByteSource

  constructor(inner: ByteSource, claimed: number) {
    this.#inner = inner
    this.size = claimed
  }

  read(offset: number, target: Uint8Array): number {
    return this.#inner.read(offset, target)
  }
}

/** A file followed by zeros that take no memory: a preallocated recording. */
export class ZeroTailSource implements ByteSource {
  readonly size: number
  readonly #inner: ByteSource

  constructor(inner: ByteSource, zeros: number) {
    this.#inner = inner
    this.size = inner.size + zeros
  }

  read(offset: number, target: Uint8Array): number {
    const wanted = Math.max(0, Math.min(target.length, this.size - offset))
    const part = target.subarray(0, wanted)
    const real = offset < this.#inner.size ? this.#inner.read(offset, part) : 0
    part.fill(0, real)
    return wanted
  }
}

/** Copies of a healthy file in which single structures lie about their lengths and counts. */
export function lies(healthy: Uint8Array, count: number, seed: number): Uint8Array[] {
  const random = randomFrom(seed)
  const claims = [
    [0xff, 0xff, 0xff, 0xff],
    [0x7f, 0xff, 0xff, 0xff],
    [0x80, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
  ]
  return Array.from({ length: count }, (_, index) => {
    const copy = Uint8Array.from(healthy)
    // Structure lies thickest at both ends of a file; half of the lies go there.
    const near = Math.min(4_096, healthy.length)
    const place = Math.floor(random() * (index % 2 === 0 ? near : healthy.length))
    const at = index % 4 === 0 ? healthy.length - place - 1 : place
    copy.set((claims[index % claims.length] ?? []).slice(0, copy.length - at), at)
    return copy
  })
}

/** A healthy file whose every aligned 32-bit word of the first and last kilobyte says "as long as can be". */
export function allLengthsMax(healthy: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(healthy)
  const spare = new Set([4, 5, 6, 7])
  for (let at = 0; at < Math.min(1_024, copy.length); at++) if (!spare.has(at % 8)) copy[at] = 0xff
  for (let at = Math.max(0, copy.length - 1_024); at < copy.length; at++)
    if (!spare.has(at % 8)) copy[at] = 0xff
  return copy
}
