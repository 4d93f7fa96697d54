import type { ByteReader } from '../../bytes/reader.ts'
import type { SampleTable } from '../../model/sample-table.ts'

/** First bytes of a unit whose values are counted. */
const FIRST_BYTES = 3
/** Share of units whose first byte, and whose other bytes, are as in the sample: the rest may have any. */
const FIRST_ALIKE = 0.99
const OTHERS_ALIKE = 0.6
/** Units that begin as others of the sample's kind do, for each that begins as the sample's did. */
const KINDRED_SHARE = 0.5
/** Units looked at. */
const LESSONS = 4000

/** What each byte says, kept until more is seen: as units are found, some bytes are asked for between each two of them. */
class SaidByByte {
  readonly #bits = new Float64Array(256)
  /** By byte, which state of what was seen its bits are of. */
  readonly #states = new Uint32Array(256)
  #state = 1

  /** More was seen. */
  forget(): void {
    this.#state++
  }

  isKnown(byte: number): boolean {
    return this.#states[byte] === this.#state
  }

  of(byte: number): number {
    return this.#bits[byte]
  }

  keep(byte: number, bits: number): number {
    this.#states[byte] = this.#state
    this.#bits[byte] = bits
    return bits
  }
}

/** How often bytes at one place of a track's units have each value. */
class ByteHabit {
  readonly #counts = new Float64Array(256)
  readonly #alike: number
  readonly #said = new SaidByByte()
  #total = 0

  constructor(alike: number) {
    this.#alike = alike
  }

  see(byte: number): void {
    this.#said.forget()
    this.#counts[byte]++
    this.#total++
  }

  /** Gives a share of what each byte was seen to others. */
  spread(share: number, others: (byte: number) => readonly number[]): void {
    this.#said.forget()
    const seen = this.#counts.slice()
    for (const [byte, count] of seen.entries()) {
      const kindred = count > 0 ? others(byte) : []
      for (const other of kindred) this.#counts[other] += (count * share) / kindred.length
      if (kindred.length > 0) this.#total += count * share
    }
  }

  seen(byte: number): boolean {
    return this.#counts[byte] > 0
  }

  /** Bits by which a byte is likelier here than anywhere. */
  bits(byte: number): number {
    if (this.#total === 0) return 0
    if (this.#said.isKnown(byte)) return this.#said.of(byte)
    const likely = (this.#alike * this.#counts[byte]) / this.#total
    return this.#said.keep(byte, Math.log2(likely * 256 + 1 - this.#alike))
  }
}

/** Shares of last bytes as in the sample, and of those with as many zero bits at their end. */
const LAST_ALIKE = 0.5
const LAST_PADDED = 0.4

/** Arithmetic coders end on zeros: how often the last byte has each value, and each number of zero bits at its end. */
class LastByteHabit {
  readonly #counts = new Float64Array(256)
  readonly #zeros = new Float64Array(9)
  readonly #said = new SaidByByte()
  #total = 0

  see(byte: number): void {
    this.#said.forget()
    this.#counts[byte]++
    this.#zeros[zerosAtEnd(byte)]++
    this.#total++
  }

  bits(byte: number): number {
    if (this.#total === 0) return 0
    if (this.#said.isKnown(byte)) return this.#said.of(byte)
    const zeros = zerosAtEnd(byte)
    const padded = this.#zeros[zeros] / (zeros === 8 ? 1 : 2 ** (7 - zeros))
    const likely = (LAST_ALIKE * this.#counts[byte] + LAST_PADDED * padded) / this.#total
    return this.#said.keep(byte, Math.log2(likely * 256 + 1 - LAST_ALIKE - LAST_PADDED))
  }
}

function zerosAtEnd(byte: number): number {
  return byte === 0 ? 8 : 31 - Math.clz32(byte & -byte)
}

/** How a track's units begin, end and how long they are: learned from a healthy recording. */
export class UnitHabits {
  readonly #first = Array.from(
    { length: FIRST_BYTES },
    (_, i) => new ByteHabit(i === 0 ? FIRST_ALIKE : OTHERS_ALIKE),
  )
  readonly #last = new LastByteHabit()
  readonly #sizes: SizeHabit

  /** Units learned from. */
  units = 0

  /** `bounded`: units much larger than the others are hardly believed. */
  constructor(bounded = false) {
    this.#sizes = new SizeHabit(bounded)
  }

  /** Learns from a recording's samples. */
  read(reader: ByteReader, table: SampleTable): void {
    const rows = Math.min(table.length, LESSONS)
    for (let row = 0; row < rows; row++) this.learn(reader, table.offset[row], table.size[row])
  }

  /** One more unit. */
  learn(reader: ByteReader, offset: number, size: number): void {
    if (size === 0) return
    const bytes = reader.bytes(offset, Math.min(FIRST_BYTES, size))
    for (let i = 0; i < bytes.length; i++) this.#first[i].see(bytes[i])
    this.#last.see(reader.u8(offset + size - 1))
    this.#sizes.see(size)
    this.units++
  }

  /** Units may as well begin with bytes that the sample's did not, though it did with their kind. */
  expect(kindred: (first: number) => readonly number[]): void {
    this.#first[0].spread(KINDRED_SHARE, kindred)
  }

  /** Whether a unit of the sample began with this byte, or is expected to. */
  begins(byte: number): boolean {
    return this.#first[0].seen(byte)
  }

  /** Bits for units that begin with the bytes at an offset. */
  opening(reader: ByteReader, at: number): number {
    const bytes = Math.min(FIRST_BYTES, reader.size - at)
    let bits = 0
    for (let i = 0; i < bytes; i++) bits += this.#first[i].bits(reader.u8(at + i))
    return bits
  }

  closing(byte: number): number {
    return this.#last.bits(byte)
  }

  /**
   * Logarithm to base 2 of the probability of a size behind a unit of size `before` (0: unknown), when it is `least` for certain.
   */
  size(size: number, before: number, least = 0): number {
    return this.#sizes.log2(size, before, least)
  }
}

/** Bins of sizes to an octave, and the share of each kind of expectation. */
const BINS = 8
const HISTOGRAM_SHARE = 0.45
const NEIGHBOUR_SHARE = 0.35
const ALIKE_SHARE = 0.15
const BROAD_SHARE = 0.05
/** Octaves by which neighbouring sizes differ where nothing is known of them. */
const ALIKE_OCTAVES = 0.25
/**
 * What it costs in bits to be so many times larger than the largest units of the same recording but for a few: more likely other
 * units were swallowed.
 */
const OVERSIZE_COST = 24
const OVERSIZE = 2
const FEW = 2
/** Octaves that any unit may have. */
const OCTAVES = 20

/** Sizes are like those of the sample, or near the size before, or anything. */
class SizeHabit {
  readonly #bins = new Float64Array(BINS * OCTAVES + 1)
  /** By bin, how many sizes are in it or above; undefined until asked for. */
  #tail: Float64Array | undefined
  #total = 0
  #before = 0
  #distances = 0
  /** The largest sizes, the largest first. */
  readonly #largest: number[] = []
  readonly #bounded: boolean

  constructor(bounded: boolean) {
    this.#bounded = bounded
  }

  see(size: number): void {
    const bin = binOf(size)
    this.#tail = undefined
    // neighbouring bins too: the sample is not the recording
    this.#bins[bin] += 0.6
    if (bin > 0) this.#bins[bin - 1] += 0.2
    if (bin < this.#bins.length - 1) this.#bins[bin + 1] += 0.2
    if (this.#total > 0) this.#distances += Math.min(Math.abs(size - this.#before), this.#before)
    this.#before = size
    if (this.#largest.length <= FEW || size > this.#largest[FEW]) {
      this.#largest.push(size)
      this.#largest.sort((a, b) => b - a)
      this.#largest.length = Math.min(this.#largest.length, FEW + 1)
    }
    this.#total++
  }

  log2(size: number, before: number, least: number): number {
    const spread = size * (Math.LN2 / BINS) + 1
    const broad = BROAD_SHARE / OCTAVES / BINS
    const histogram = this.#total > 0 ? (HISTOGRAM_SHARE * this.#bins[binOf(size)]) / this.#total : 0
    let probability = (broad + histogram) / spread
    if (before > 0 && this.#total > 1) {
      const distance = Math.max(1, this.#distances / (this.#total - 1))
      probability += (NEIGHBOUR_SHARE * Math.exp(-Math.abs(size - before) / distance)) / (2 * distance)
      const octaves = Math.abs(Math.log2(size / before))
      probability +=
        (ALIKE_SHARE * Math.exp(-octaves / ALIKE_OCTAVES)) / (2 * ALIKE_OCTAVES * size * Math.LN2)
    }
    const most = this.#bounded ? this.#largest[FEW] : undefined
    const oversize = most !== undefined && size - least > most * OVERSIZE
    return Math.log2(probability / this.#atLeast(least)) - (oversize ? OVERSIZE_COST : 0)
  }

  /** Share of sizes that are `least` or more, by the histogram and what any unit may have. */
  #atLeast(least: number): number {
    const first = binOf(least)
    if (first === 0 || this.#total === 0) return 1
    if (this.#tail === undefined) {
      this.#tail = this.#bins.slice()
      for (let bin = this.#tail.length - 2; bin >= 0; bin--) this.#tail[bin] += this.#tail[bin + 1]
    }
    const any = BROAD_SHARE * (1 - first / this.#bins.length)
    const alike = (HISTOGRAM_SHARE * this.#tail[first]) / this.#tail[0]
    return (any + alike) / (BROAD_SHARE + HISTOGRAM_SHARE)
  }
}

function binOf(size: number): number {
  return Math.min(BINS * OCTAVES, Math.floor(Math.log2(size + 1) * BINS))
}
