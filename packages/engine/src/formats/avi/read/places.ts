import type { ByteReader } from '../../../bytes/reader.ts'
import { CHUNK_HEADER } from '../../../syntax/riff/chunk.ts'
import { idOf, indexedStreamOf, SOUND, streamOf } from './chunk-id.ts'

export const RIFF = idOf('RIFF')
export const LIST = idOf('LIST')
export const MOVI = idOf('movi')
export const REC = idOf('rec ')
export const IDX1 = idOf('idx1')
export const JUNK = idOf('JUNK')
const SKIPPED: ReadonlySet<number> = new Set(['JUNK', 'idx1', 'JUNQ', 'PAD '].map(idOf))
const RIFF_TYPES: ReadonlySet<number> = new Set(['AVI ', 'AVIX'].map(idOf))

const WINDOW = 1 << 16
/** Streams looked for where no header says how many there are. */
const UNKNOWN: readonly string[] = Array.from({ length: 8 }, () => '')

/** What begins at a place: a chunk of a stream, other structure, or nothing that is known. */
export type Place = 'data' | 'structure' | undefined

/** Tells chunk headers from other bytes. */
export class Places {
  readonly #reader: ByteReader
  /** What the streams are that there are, `auds` and the like; empty where nobody knows. */
  readonly #streams: readonly string[]

  constructor(reader: ByteReader, streams: readonly string[] = UNKNOWN) {
    this.#reader = reader
    this.#streams = streams
  }

  /** What begins at `at`, by its four characters and by a size that can be. */
  at(at: number): Place {
    const reader = this.#reader
    if (at + CHUNK_HEADER > reader.size) return undefined
    const id = reader.u32le(at)
    const stream = streamOf(id)
    if (stream >= 0) return this.#belongs(stream, id >>> 16) ? 'data' : undefined
    if (id === LIST || (id === RIFF && RIFF_TYPES.has(reader.u32le(at + 8)))) return 'structure'
    if (SKIPPED.has(id)) return 'structure'
    const indexed = indexedStreamOf(id)
    return indexed >= 0 && indexed < this.#streams.length ? 'structure' : undefined
  }

  /** Sound comes in chunks of its own kind and nothing else does, where the streams are known. */
  #belongs(stream: number, kind: number): boolean {
    if (stream >= this.#streams.length) return false
    const type = this.#streams[stream]
    return type === '' || (type === 'auds') === (kind === SOUND)
  }

  /** Where the header behind a chunk that ends at `end` begins, with or without a byte to fill up; -1 where there is none. */
  behind(end: number): number {
    const even = end + (end & 1)
    if (even >= this.#reader.size && end <= this.#reader.size) return this.#reader.size
    if (this.at(even) !== undefined) return even
    const other = even === end ? end + 1 : end
    return this.at(other) === undefined ? -1 : other
  }

  /** Whether a chunk of data at `at` is followed by another header, or by the end of the file. */
  chained(at: number): boolean {
    return this.behind(at + CHUNK_HEADER + this.#reader.u32le(at + 4)) >= 0
  }

  /** The first place in [from, end) where a header begins that another one follows, or that `isHeader` knows, or `end`. */
  search(from: number, end: number, isHeader: (at: number) => boolean = () => false): number {
    const reader = this.#reader
    for (let at = from; at < end; at += WINDOW) {
      const bytes = reader.bytes(at, Math.min(WINDOW + 4, reader.size - at))
      const stop = Math.min(WINDOW, end - at, bytes.length - 3)
      for (let i = 0; i < stop; i++) {
        if (MARKS[bytes[i]] === 0 || MARKS[bytes[i + 2]] === 0) continue
        const place = this.at(at + i)
        if (place === 'data' ? this.chained(at + i) || isHeader(at + i) : place && this.#holds(at + i))
          return at + i
      }
    }
    return end
  }

  /** Whether structure at `at` is what it says: its first content, or what follows it, is structure or data. */
  #holds(at: number): boolean {
    const reader = this.#reader
    const id = reader.u32le(at)
    if (id === RIFF) return reader.u32le(at + 12) === LIST
    if (id === LIST) {
      const type = reader.u32le(at + 8)
      if (type === MOVI || type === REC) return this.at(at + 12) !== undefined
    }
    const end = at + CHUNK_HEADER + reader.u32le(at + 4)
    return end <= reader.size && this.behind(end) >= 0
  }
}

/** Which bytes may be the first or third of four characters that name a chunk. */
const MARKS = new Uint8Array(256)
for (const mark of '0123456789abcdefABCDEFLRJPiwspt_xUNS1V') MARKS[mark.charCodeAt(0)] = 1
