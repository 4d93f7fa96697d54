import type { Edits } from '../../../bytes/edits.ts'
import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Sequence } from '../../../codecs/mpeg12/headers.ts'
import { isOfAnother, type PictureProgress, sliceRow } from '../../../codecs/mpeg12/picture-progress.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { LAST_SLICE, PICTURE } from '../../../codecs/mpeg12/unit-walker.ts'
import type { Findings } from '../../../model/finding.ts'
import { loneSlices } from '../findings.ts'
import { type CodedPictures, MOST_BYTES } from './coded-pictures.ts'
import type { Item } from './item.ts'
import { type ProgramStream, payloadOf } from './stream.ts'
import type { Streams } from './streams.ts'

/** Bytes of a start code that may stand in the packet in front. */
const CARRIED = 3

interface Stretch {
  readonly start: number
  readonly end: number
}

/** A stream behind a hole, up to its next header. */
interface Rest {
  /** How far the picture in front of the hole is coded. */
  readonly front: PictureProgress
  readonly sequence: Sequence
  readonly stretches: Stretch[]
  bytes: number
  /** The last bytes looked at. */
  carried: Uint8Array
  /** Row of the first slice that begins; 0 before. */
  row: number
}

/**
 * Blanks what a hole leaves of a picture whose header it took: decoders would take those slices for more of the picture in front,
 * which spoils it and all that refer to it. Zeros between pictures mean nothing, ITU-T H.262 (02/2012) §5.2.3.
 */
export class LoneSlices {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #findings: Findings
  readonly #edits: Edits
  readonly #pictures: CodedPictures
  readonly #rests = new Map<ProgramStream, Rest>()
  /** Where the last hole ends. */
  #behind = 0

  constructor(
    reader: ByteReader,
    streams: Streams,
    pictures: CodedPictures,
    findings: Findings,
    edits: Edits,
  ) {
    this.#reader = reader
    this.#streams = streams
    this.#pictures = pictures
    this.#findings = findings
    this.#edits = edits
  }

  /** [from, to) belongs to no packet. */
  hole(from: number, to: number): void {
    for (const stream of this.#streams.all) {
      this.#rests.delete(stream)
      const last = this.#pictures.lastBefore(stream, this.#behind, from)
      if (!last) continue
      const { progress: front, sequence } = last
      if (front.row === 0) continue
      this.#rests.set(stream, {
        ...{ front, sequence, stretches: [], bytes: 0 },
        ...{ carried: new Uint8Array(0), row: 0 },
      })
    }
    this.#behind = to
  }

  /** What follows in a stream begins with a header. */
  begins(stream: ProgramStream): void {
    this.#rests.delete(stream)
  }

  /** A packet of `length` bytes comes. */
  take(item: Item, length: number): void {
    const stream = this.#rests.size > 0 ? this.#streams.of(item) : undefined
    const rest = stream && this.#rests.get(stream)
    if (!stream || !rest || !item.header) return
    const { start, end } = payloadOf({ ...item, length }, stream)
    const bytes = joined([rest.carried, this.#reader.bytes(start, end - start)])
    const shift = start - rest.carried.length
    for (let at = nextCode(bytes, 0); at + CARRIED < bytes.length; at = nextCode(bytes, at + 3)) {
      const value = bytes[at + 3]
      if (value === PICTURE || value > LAST_SLICE) {
        this.#settle(stream, rest, start, shift + at)
        return
      }
      if (rest.row === 0) rest.row = sliceRow(bytes, at, rest.sequence)
    }
    rest.carried = bytes.slice(-CARRIED)
    rest.bytes += end - start
    rest.stretches.push({ start, end })
    if (rest.bytes > MOST_BYTES) this.#rests.delete(stream)
  }

  /** A header stands at `at`, of a packet whose payload begins at `start`, or some bytes in front of it in the packet before. */
  #settle(stream: ProgramStream, { front, row, stretches }: Rest, start: number, at: number): void {
    this.#rests.delete(stream)
    if (!isOfAnother(row, front)) return
    const last = stretches.at(-1)
    const own = { start, end: Math.max(start, at) }
    for (const stretch of [...stretches, own]) {
      // a start code may begin in the packet before
      const end = stretch === last ? stretch.end - Math.max(0, start - at) : stretch.end
      const length = end - stretch.start
      if (length <= 0) continue
      this.#findings.add(loneSlices(stretch.start, length))
      this.#edits.replace(stretch.start, length, new Uint8Array(length))
    }
  }
}
