import { type ResultWriter, WORTH_COPYING } from './range-writer.ts'
import { type ByteSink, isSeekable } from './sink.ts'
import type { ByteSource } from './source.ts'

/** Bytes walked over between two stretches that are told. */
const STRETCH = 8 * 1024 * 1024

/**
 * Tells a sink where a file's bytes are likely to come to lie while a walk over the file finds out what is left out of the result
 * and put into it: it copies behind the walk then.
 */
export class Foresight {
  readonly #expect: Expect | undefined
  #offset = 0
  /** How far the walk had come with the same growth. */
  #reached = 0
  #growth = 0

  constructor(sink: ByteSink, source: ByteSource) {
    this.#expect = expectOf(sink, source)
  }

  /** The walk has come to `offset`; the result of what is in front of it is longer by `growth` bytes as far as is known. */
  reached(offset: number, growth: number): void {
    // where in between it grew is not known
    if (growth !== this.#growth) this.changed(this.#reached, offset, growth)
    this.#reached = offset
    if (offset - this.#offset >= STRETCH) this.#tell(offset)
  }

  /**
   * The result of what is in front of `until` is as long as was known, that of what is in front of `from` is longer by `growth`
   * bytes.
   */
  changed(until: number, from: number, growth: number): void {
    if (until > this.#offset) this.#tell(until)
    this.#offset = from
    this.#reached = from
    this.#growth = growth
  }

  #tell(offset: number): void {
    this.#expect?.(this.#offset, this.#offset + this.#growth, offset - this.#offset)
    this.#offset = offset
  }
}

/**
 * Tells the sink where bytes of a file are likely to come to lie by what would be written, of which it takes nothing but the
 * lengths.
 */
export class PlannedPlaces implements ResultWriter {
  position: number
  readonly #expect: Expect

  /** Undefined where the sink cares for no places. */
  static of(sink: ByteSink, source: ByteSource): PlannedPlaces | undefined {
    const expect = expectOf(sink, source)
    return expect && new PlannedPlaces(expect, sink.position)
  }

  private constructor(expect: Expect, position: number) {
    this.#expect = expect
    this.position = position
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length
  }

  async copy(offset: number, length: number): Promise<void> {
    if (length >= WORTH_COPYING) this.#expect(offset, this.position, length)
    this.position += length
  }

  async fill(_value: number, length: number): Promise<void> {
    this.position += length
  }

  async end(): Promise<void> {}
}

type Expect = (offset: number, at: number, length: number) => void

function expectOf(sink: ByteSink, source: ByteSource): Expect | undefined {
  if (!isSeekable(sink) || !sink.expect) return undefined
  return (offset, at, length) => sink.expect?.(source, offset, at, length)
}
