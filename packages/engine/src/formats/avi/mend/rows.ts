import type { ByteReader } from '../../../bytes/reader.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_KEY,
  SAMPLE_RESTART,
  type SampleTable,
} from '../../../model/sample-table.ts'
import type { Lane } from '../../../recovery/carving/lane.ts'
import { CHUNK_HEADER } from '../../../syntax/riff/chunk.ts'
import type { ChunkTable } from '../read/chunk-table.ts'
import { secondsOf } from '../read/clock.ts'
import { keyTest } from '../read/key-pictures.ts'
import type { AviStream } from '../read/stream.ts'

/** A healthy recording of the same program, or a stretch of the damaged one that is whole. */
export interface Healthy {
  readonly reader: ByteReader
  readonly chunks: ChunkTable
  /** The first row, and the one behind the last. */
  readonly from: number
  readonly until: number
}

/** Pictures by which a codec's settings are learned. */
const LESSONS = 40
/** Bytes below which a picture stands for none, as packed streams have behind two in one chunk. */
const SMALLEST_PICTURE = 12

/** Makes a lane's table of chunks. A row reaches from the chunk's header to the next one's, so that rows adjoin. */
export class Rows {
  readonly #reader: ByteReader
  readonly #stream: AviStream
  readonly #table: SampleTable
  readonly #recogniser: Lane['recogniser']
  readonly #isKey: (offset: number, size: number) => boolean
  readonly #unit = new Unit()
  #order = 0
  /** Added to a picture's own number, so that it goes on from the pictures counted before it. */
  #shift = 0
  #counted = false
  #afterHole = false
  /** No picture was read since the last hole. */
  #isOpen = true
  /** Chunks without a picture right behind a hole or at the beginning. */
  readonly #leading: number[] = []
  /** Other chunks without a picture, and the chunk that holds one for it besides its own. */
  readonly #empty = new Map<number, number>()
  /** Numbers of second pictures by the rows of their chunks. */
  readonly #packed = new Map<number, number>()
  #lastPacked = -1

  constructor(reader: ByteReader, stream: AviStream, { table, recogniser }: Lane, healthy?: Healthy) {
    this.#reader = reader
    this.#stream = stream
    this.#table = table
    const isPicture = stream.description.kind === 'video'
    this.#recogniser = isPicture ? recogniser : undefined
    this.#isKey = isPicture && !recogniser ? keyTest(reader, stream.description) : () => true
    if (healthy && this.#recogniser) teach(this.#recogniser, stream, healthy)
  }

  breakOff(): void {
    this.#recogniser?.discontinuity()
    this.#counted = false
    this.#afterHole = true
    this.#isOpen = true
    this.#lastPacked = -1
  }

  /** A chunk far from all holes: its picture is not read. */
  count(offset: number, size: number): void {
    const row = this.#push(offset, size)
    if (!this.#counted) this.#recogniser?.discontinuity()
    this.#counted = true
    this.#isOpen = false
    this.#order += this.#recogniser?.orderStep ?? 1
    this.#table.order[row] = this.#order
  }

  #push(offset: number, size: number): number {
    const flags = this.#afterHole ? SAMPLE_AFTER_HOLE : 0
    this.#afterHole = false
    const ticks = secondsOf(this.#stream, size) * this.#stream.description.timescale
    const length = CHUNK_HEADER + size + (size & 1)
    this.#table.push(offset - CHUNK_HEADER, length, 1, ticks, 0, flags)
    return this.#table.length - 1
  }

  add(offset: number, size: number): void {
    const row = this.#push(offset, size)
    const recogniser = this.#recogniser
    const unit = this.#unit
    if (
      recogniser &&
      size >= SMALLEST_PICTURE &&
      recogniser.recognise(this.#reader, offset, offset + size, unit)
    ) {
      recogniser.accept(this.#reader, offset, unit)
      if (this.#counted) this.#goOn(recogniser, unit)
      this.#isOpen = false
      if (unit.restart) this.#shift = 0
      this.#order = unit.order + this.#shift
      this.#table.flags[row] |=
        (unit.key || unit.recovery ? SAMPLE_KEY : 0) | (unit.restart ? SAMPLE_RESTART : 0)
      this.#takePacked(recogniser, offset + unit.length, offset + size, row)
    } else {
      if (recogniser) this.#takeEmpty(row)
      this.#order += recogniser?.orderStep ?? 1
      if (!recogniser && this.#isKey(offset, size)) this.#table.flags[row] |= SAMPLE_KEY
    }
    this.#table.order[row] = this.#order
  }

  /** A second picture in the chunk of row `row`, for which an empty one follows. */
  #takePacked(recogniser: NonNullable<Lane['recogniser']>, offset: number, end: number, row: number): void {
    const unit = this.#unit
    if (end - offset < SMALLEST_PICTURE || !recogniser.recognise(this.#reader, offset, end, unit)) return
    recogniser.accept(this.#reader, offset, unit)
    this.#packed.set(row, unit.order + this.#shift)
    this.#lastPacked = row
  }

  #takeEmpty(row: number): void {
    if (this.#isOpen) this.#leading.push(row)
    else this.#empty.set(row, this.#lastPacked)
    this.#lastPacked = -1
  }

  /**
   * Numbers chunks without a picture, once pictures have shown by how much numbers grow: by the one packed for it, or the picture
   * before. Behind a hole and at the beginning that is not there: by the one behind.
   */
  numberEmpty(): void {
    const { order, flags, length } = this.#table
    const step = this.#recogniser?.orderStep ?? 1
    for (const row of this.#leading.toReversed()) {
      const next = row + 1
      if (next >= length || flags[next] & SAMPLE_AFTER_HOLE) continue
      if (flags[next] & SAMPLE_RESTART) {
        // times only seem to start anew, as those that count whole seconds are lost: they do so with this chunk
        if (!this.#recogniser?.orderIsTime) continue
        const start = flags[next] & (SAMPLE_RESTART | SAMPLE_KEY)
        flags[row] |= start
        flags[next] &= ~start
      }
      const packed = this.#packed.get(next)
      // in front of what a chunk shows first was the reference of the lost picture that was packed for this one
      order[row] = (packed === undefined ? order[next] : packed - step) - step
    }
    for (const [row, packed] of this.#empty) order[row] = this.#packed.get(packed) ?? order[row - 1] + step
    if (this.#empty.size > 0 && !this.#recogniser?.orderIsTime) this.#countEmpty(step)
  }

  /** Moves numbers of pictures that count pictures alone behind each chunk of no byte, which takes the time of one. */
  #countEmpty(step: number): void {
    const { order, flags, size, length } = this.#table
    let moved = 0
    for (let row = 0; row < length; row++) {
      if (flags[row] & SAMPLE_RESTART) moved = 0
      order[row] += moved
      const packed = this.#empty.get(row)
      if (packed !== undefined && !this.#packed.has(packed) && size[row] === CHUNK_HEADER) moved += step
    }
  }

  /** Behind pictures that were counted: numbers go on from theirs, by whole periods where they repeat. */
  #goOn({ orderStep, orderPeriod = 0 }: NonNullable<Lane['recogniser']>, unit: Unit): void {
    const off = this.#order + orderStep - unit.order
    this.#shift = orderPeriod > 0 ? Math.round(off / orderPeriod) * orderPeriod : off
    unit.restart = false
    this.#counted = false
  }
}

function teach(recogniser: NonNullable<Lane['recogniser']>, { number }: AviStream, healthy: Healthy): void {
  const { reader, chunks, from, until } = healthy
  for (let row = from, taught = 0; row < until && taught < LESSONS; row++) {
    if (chunks.stream[row] !== number || chunks.size[row] < SMALLEST_PICTURE) continue
    recogniser.learn?.(reader, chunks.offset[row], chunks.size[row])
    taught++
  }
}
