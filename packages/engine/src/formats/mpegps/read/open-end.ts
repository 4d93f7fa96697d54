import type { Edits } from '../../../bytes/edits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { lastPicture } from '../findings.ts'
import type { CodedPictures } from './coded-pictures.ts'
import { type Item, PROGRAM_END } from './item.ts'
import type { ProgramStream } from './stream.ts'
import type { Streams } from './streams.ts'

/** MPEG_program_end_code, ISO/IEC 13818-1:2007 §2.5.3.2. */
const END_CODE = Uint8Array.of(0, 0, 1, PROGRAM_END)

/**
 * The end of a file that is cut: be it behind a whole packet, it lies inside a picture more often than not. That one is shown as
 * far as it goes, and the program gets its end.
 */
export class OpenEnd {
  readonly #reader: ByteReader
  readonly #streams: Streams
  readonly #pictures: CodedPictures
  readonly #findings: Findings
  readonly #edits: Edits
  /** The last stretch without holes that holds packets. */
  #from = 0
  #to = 0
  /** Where the last hole ends. */
  #hole = 0

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

  take({ offset, length }: Item): void {
    this.#from = Math.max(this.#from, this.#hole)
    this.#to = Math.min(offset + length, this.#reader.size)
  }

  /** What lies in front of `to` belongs to nothing. */
  hole(to: number): void {
    this.#hole = to
  }

  /** Everything was taken. Sectors keep their places: nothing is put behind them. */
  settle(inSectors: boolean): void {
    const isInside = (stream: ProgramStream): boolean =>
      this.#pictures.endInside(stream, this.#from, this.#to)
    const open = this.#streams.all.filter(isInside)
    for (const stream of open) {
      stream.damage()
      if (!inSectors) this.#findings.add(lastPicture(stream.table.offset[stream.table.length - 1]))
    }
    if (open.length > 0 && !inSectors) this.#edits.insert(this.#reader.size, END_CODE)
  }
}
