import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Sequence } from '../../../codecs/mpeg12/headers.ts'
import { endsTorn, type PictureProgress, pictureProgress } from '../../../codecs/mpeg12/picture-progress.ts'
import { readSequenceHead, sequenceHeadAt } from '../../../codecs/mpeg12/sequence-head.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { readItem } from './item.ts'
import { type ProgramStream, payloadOf } from './stream.ts'
import type { Streams } from './streams.ts'

/** Coded pictures that are read. */
const READ: readonly string[] = ['mpeg1video', 'mpeg2video']
/** Bytes of a picture looked through. */
export const MOST_BYTES = 512 << 10

/** How far pictures of a stream are coded in front of some place. */
export interface LastPicture {
  readonly progress: PictureProgress
  readonly sequence: Sequence
}

/** Reads how far the pictures of MPEG-1 and MPEG-2 are coded that packets hold. */
export class CodedPictures {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #sequences = new Map<ProgramStream, Sequence>()

  constructor(reader: ByteReader, streams: Streams) {
    this.#reader = reader
    this.#streams = streams
  }

  /** How far a stream's last picture in front of `to` is coded, by its packets from `from` on; undefined of other codings. */
  lastBefore(stream: ProgramStream, from: number, to: number): LastPicture | undefined {
    const sequence = this.#sequenceOf(stream)
    if (!sequence) return undefined
    return { progress: pictureProgress(this.#lastBytes(stream, from, to), sequence), sequence }
  }

  /** Whether a stream's packets from `from` on end inside a picture in front of `to`. */
  endInside(stream: ProgramStream, from: number, to: number): boolean {
    const sequence = this.#sequenceOf(stream)
    return sequence !== undefined && endsTorn(this.#lastBytes(stream, from, to), sequence)
  }

  /** What a stream's packets in [from, to) hold of its last two pictures. */
  #lastBytes(stream: ProgramStream, from: number, to: number): Uint8Array {
    const { table } = stream
    // the last time stamp may be of a picture whose header ends behind
    const first = table.length > 0 ? table.offset[Math.max(0, table.length - 2)] : to
    return this.#payloads(stream, Math.max(first, from, to - MOST_BYTES), to)
  }

  /** What packets of a stream in [from, to) hold, one behind the other. */
  #payloads(stream: ProgramStream, from: number, to: number): Uint8Array {
    const parts: Uint8Array[] = []
    for (let at = from; at < to; ) {
      const item = readItem(this.#reader, at)
      if (!item) break
      if (item.header && this.#streams.of(item) === stream) {
        const { start, end } = payloadOf(item, stream)
        parts.push(this.#reader.bytes(start, Math.max(0, Math.min(end, to) - start)).slice())
      }
      at += item.length
    }
    return joined(parts)
  }

  #sequenceOf(stream: ProgramStream): Sequence | undefined {
    if (!READ.includes(stream.codec)) return undefined
    const known = this.#sequences.get(stream)
    if (known) return known
    const [first = 0] = stream.places
    const last = readItem(this.#reader, stream.places.at(-1) ?? first)
    const bytes = this.#payloads(stream, first, last ? last.offset + last.length : first)
    for (let at = nextCode(bytes, 0); at < bytes.length; at = nextCode(bytes, at + 3)) {
      const head = sequenceHeadAt(bytes, at)
      const sequence = head && readSequenceHead(head)
      if (!sequence) continue
      this.#sequences.set(stream, sequence)
      return sequence
    }
    return undefined
  }
}
