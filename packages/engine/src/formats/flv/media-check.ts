import type { ByteReader } from '../../bytes/reader.ts'
import { isSorensonPicture } from '../../codecs/h263/sorenson.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { Monitor } from '../../model/monitor.ts'
import { hasZeroHole, isDense } from '../../recording/zero-holes.ts'
import { AFTER_HOLE, DAMAGED, type TagTable, TORN } from './read/tag-table.ts'
import { descriptionOf, type Stream, unitOf } from './streams.ts'

/** Of a healthy stream so many units can be read; where fewer can, it is the reading that fails. */
const LEAST_SHARE = 0.8
/** Units between two breaks for others. */
const UNITS_A_TURN = 256
/** Bytes read together where nearly all are looked at. */
const PIECE = 512 * 1024
/** Share of the file from which on what is looked at is nearly all of it. */
const MOST = 0.75

/** Whether bytes are a whole unit, of codecs of this container alone. */
const WHOLE: Readonly<Partial<Record<string, (bytes: Uint8Array) => boolean>>> = { flv1: isSorensonPicture }

/**
 * Marks the units whose bytes are not what the codec writes, in one walk over the file. Returns how many of each kind there are.
 */
export async function checkMedia(
  reader: ByteReader,
  table: TagTable,
  streams: readonly Stream[],
  monitor: Monitor,
): Promise<ReadonlyMap<number, number>> {
  const checks = streams.map((stream) => new StreamCheck(reader, table, stream))
  const looked = checks.reduce((sum, { bytes }) => sum + bytes, 0)
  const isMost = looked > reader.size * MOST
  let fetched = 0
  for (let row = 0; row < table.length; row++) {
    if (row % UNITS_A_TURN === 0) {
      monitor.progress('diagnose', row / table.length)
      await monitor.pause()
    }
    const offset = table.offset[row]
    if (isMost && offset >= fetched) {
      reader.fetch(offset, PIECE)
      fetched = offset + PIECE
    }
    for (const check of checks) check.take(row)
  }
  return new Map(checks.map((check) => [check.stream.kind, check.finish()]))
}

/** Looks at the units of one stream, in their order. */
class StreamCheck {
  readonly stream: Stream
  /** Those of the file that it looks at. */
  readonly bytes: number
  readonly #reader: ByteReader
  readonly #table: TagTable
  readonly #recogniser: Recogniser | undefined
  readonly #isWhole: ((bytes: Uint8Array) => boolean) | undefined
  readonly #isDense: boolean
  /** Its units are chains of NAL units, which are looked at as such. */
  readonly #isChained: boolean
  readonly #unit = new Unit()
  readonly #hit: number[] = []
  #next = 0

  constructor(reader: ByteReader, table: TagTable, stream: Stream) {
    const { codec, header, rows } = stream
    this.stream = stream
    this.#reader = reader
    this.#table = table
    this.#isWhole = WHOLE[codec]
    this.#isChained = codec === 'h264' || codec === 'hevc'
    const recogniser = codecNamed(codec)?.recogniser(descriptionOf(stream))
    const reads = recogniser?.selfDelimiting && (header !== undefined || codec === 'mp3')
    this.#recogniser = reads ? recogniser : undefined
    this.#isDense = isDense(codec)
    const looks = this.#isWhole !== undefined || reads || this.#isDense
    this.bytes = looks ? rows.reduce((sum, row) => sum + table.size[row], 0) : 0
  }

  /** Looks at a row of the table if it is the stream's next. */
  take(row: number): void {
    if (this.stream.rows[this.#next] !== row) return
    this.#next++
    const isTorn = (this.#table.flags[row] & TORN) !== 0
    const { offset, size } = unitOf(this.#reader, this.#table, row)
    if (isTorn || size === 0 || !this.#reads(offset, size)) this.#hit.push(row)
  }

  #reads(offset: number, size: number): boolean {
    const reader = this.#reader
    const recogniser = this.#recogniser
    if (this.#isWhole) return this.#isWhole(reader.bytes(offset, size))
    const isOne =
      this.#isChained || recogniser?.recognise(reader, offset, offset + size, this.#unit) !== false
    if (recogniser) return isOne && recogniser.intact?.(reader, offset, size) !== false
    return !this.#isDense || !hasZeroHole(reader, offset, size)
  }

  /** Marks what was hit. Returns how many units that is. */
  finish(): number {
    const { rows } = this.stream
    if (this.#hit.length > rows.length * (1 - LEAST_SHARE)) return markTorn(this.#table, rows)
    for (const row of this.#hit) this.#table.flags[row] |= DAMAGED
    return this.#hit.length
  }
}

function markTorn(table: TagTable, rows: Uint32Array): number {
  let count = 0
  for (const row of rows) {
    if ((table.flags[row] & TORN) === 0) continue
    table.flags[row] |= DAMAGED
    count++
  }
  return count
}

/**
 * Whether pictures that are read to their last bit were hit in several places where nothing is missing: others may be that read
 * all the same.
 */
export function isHitHereAndThere({ flags, length }: TagTable, { codec, rows }: Stream): boolean {
  if (!WHOLE[codec]) return false
  const isHit = (row: number): boolean =>
    (flags[row] & (DAMAGED | TORN | AFTER_HOLE)) === DAMAGED &&
    (row + 1 === length || (flags[row + 1] & AFTER_HOLE) === 0)
  let places = 0
  for (let i = 0; i < rows.length; i++) if (isHit(rows[i]) && (i === 0 || !isHit(rows[i - 1]))) places++
  return places > 1
}
