import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { RecordedTrack } from '../carving/lane.ts'

/** Units of the recording that are learned from. */
const LESSONS = 600
/** Classes of size in each doubling. */
const CLASSES = 4
/** Doublings of size told apart. */
const DOUBLINGS = 24
/** Units that the smoothing of sizes is worth. */
const SMOOTHING = 4
/** Sizes of a track that count one by one: rates that are constant have a few. */
const EXACT_SIZES = 4
/** The most one unit tells, in bits: single units stray. */
const MOST_BITS = 10

/** How much a unit is like those of one track of the recording, in bits: what matters is the difference to another track. */
export class Likeness {
  readonly #recogniser: Recogniser | undefined
  readonly #unit = new Unit()
  /** Bits by which each class of size is the track's, and each exact size where the track has but a few. */
  readonly #classes = new Float64Array(CLASSES * DOUBLINGS)
  readonly #exact = new Map<number, number>()
  readonly #few: boolean

  /** Learns from a track of the recording behind `reader`. */
  constructor(reader: ByteReader, { description, table }: RecordedTrack) {
    this.#recogniser = codecNamed(description.codec)?.recogniser(description)
    const counts = new Float64Array(this.#classes.length)
    for (let row = 0; row < table.length; row++) {
      if (row < LESSONS) this.#recogniser?.learn?.(reader, table.offset[row], table.size[row])
      counts[classOf(table.size[row])]++
      if (this.#exact.size <= EXACT_SIZES)
        this.#exact.set(table.size[row], (this.#exact.get(table.size[row]) ?? 0) + 1)
    }
    this.#few = table.length > EXACT_SIZES * SMOOTHING && this.#exact.size <= EXACT_SIZES
    const all = table.length + SMOOTHING
    for (let i = 0; i < counts.length; i++) {
      // neighbouring classes lend each other a part: sizes wander
      const near = ((counts[i - 1] ?? 0) + (counts[i + 1] ?? 0)) / 4
      this.#classes[i] = Math.log2((counts[i] / 2 + near + SMOOTHING / counts.length) / all)
    }
    for (const [size, count] of this.#exact)
      this.#exact.set(size, Math.log2((count + SMOOTHING / EXACT_SIZES) / all))
  }

  /** Bits for the unit of `size` bytes at `offset`; lower is less like. */
  bits(reader: ByteReader, offset: number, size: number): number {
    const ofSize = this.#few ? (this.#exact.get(size) ?? -MOST_BITS) : this.#classes[classOf(size)]
    const recogniser = this.#recogniser
    if (!recogniser) return ofSize
    const reads = recogniser.recognise(reader, offset, offset + size, this.#unit)
    return ofSize + (reads && this.#unit.length === size ? this.#unit.evidence : 0)
  }
}

/** The bits of several tracks for one unit, held apart by no more than what one unit may tell: the best is 0. */
export function compared(
  likenesses: readonly Likeness[],
  reader: ByteReader,
  offset: number,
  size: number,
): number[] {
  const bits = likenesses.map((likeness) => likeness.bits(reader, offset, size))
  const best = Math.max(...bits)
  return bits.map((each) => Math.max(-MOST_BITS, each - best))
}

function classOf(size: number): number {
  return Math.min(CLASSES * DOUBLINGS - 1, Math.floor(Math.log2(Math.max(1, size)) * CLASSES))
}
