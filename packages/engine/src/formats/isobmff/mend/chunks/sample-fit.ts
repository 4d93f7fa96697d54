import type { ByteReader } from '../../../../bytes/reader.ts'
import { isFiller } from '../../../../bytes/zeros.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { type Recogniser, Unit } from '../../../../codecs/recogniser.ts'
import type { Allowance } from '../../../../model/allowance.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import { nalChain, nalLengthSize } from '../../../../recording/nal-chain.ts'

/** Samples of a track by whose first bytes others are judged. */
const LEARNED = 128
/** Samples by which nothing is learned, and the share of them that makes a habit. */
const FEW = 6
const NEARLY_ALL = 0.7
const RARELY = 0.05
/** Bits by which bytes that have the syntax of a sample, to its last byte, speak for being one; or against it. */
const PROOF = 24
/** Bits by which the start of a sample, recognised without its length, speaks. */
const START = 8
/** In place of a length: no sample is there, or one that does not tell how long it is. */
const NONE = -1
const UNTOLD = 0
/** Bytes at which a recogniser sees that no sample starts. */
const START_BYTES = 64
/** Bytes of the largest sample: of sound, and of all. */
const LARGEST_SOUND = 16_384
const LARGEST = 16 * 1024 * 1024
/** Bytes that an encoder fills up a sample with, at the most: to a page; pictures of a constant rate to their share of it. */
const MOST_FILLER = { usual: 4096, pictures: 65_536 }
/** Steps for no sound where it seemed to start: most bytes that are none show it soon. */
const IN_VAIN = 1024

/**
 * Tells in bits how well bytes are a sample of one track: by the codec's syntax where it has one, and by what its samples begin
 * with. Learns the latter from samples whose places are sure.
 */
export class SampleFit {
  /** True when a sample that fits does so with all its bytes. */
  readonly exact: boolean
  readonly #reader: ByteReader
  #recogniser: Recogniser | undefined
  readonly #codec: string
  /** Bytes of a NAL unit's length field, 0 for codecs without. */
  readonly #lengthSize: number
  readonly #unit = new Unit()
  /** How often each first and second byte occurs. */
  readonly #first = new Uint32Array(256)
  readonly #second = new Uint32Array(256)
  /** How often the commonest first and second byte occur. */
  readonly #mostFirst: number
  readonly #mostSecond: number
  #learned = 0
  readonly #work: Allowance
  /** Samples are those of sound, which all are small. */
  readonly #small: boolean
  readonly #mostFiller: number
  /** What the recogniser said at offsets, see `#lengthAt`. */
  readonly #lengths = new Map<number, number>()

  /**
   * @param sure offsets of samples whose places are sure, of which some are looked at
   * @param work steps that looking may take, one for a few bytes read; without, nothing fits any more
   */
  constructor(reader: ByteReader, track: TrackDescription, sure: Float64Array, work: Allowance) {
    this.#reader = reader
    this.#work = work
    this.#codec = track.codec
    this.#small = track.kind === 'audio'
    this.#mostFiller = track.kind === 'video' ? MOST_FILLER.pictures : MOST_FILLER.usual
    this.#lengthSize = track.framing === 'length' ? nalLengthSize(track) : 0
    const recogniser = codecNamed(track.codec)?.recogniser(track)
    // Of others, units end where the next one is found: looking for that takes as long as the file.
    this.#recogniser = recogniser?.selfDelimiting ? recogniser : undefined
    const step = Math.max(1, Math.floor(sure.length / LEARNED))
    let exact = this.#lengthSize > 0
    let known = 0
    for (let i = 0; i < sure.length; i += step) {
      if (sure[i] >= reader.size) continue
      this.#first[reader.u8(sure[i])]++
      this.#second[reader.u8(sure[i] + 1)]++
      this.#learned++
      if (!this.#recogniser?.recognise(reader, sure[i], reader.size, this.#unit)) continue
      // pictures may be known behind a head alone, which tells their settings
      if (known === 0 && track.kind === 'video') recogniser?.accept(reader, sure[i], this.#unit)
      known++
      exact ||= this.#unit.lengthKnown
    }
    this.#mostFirst = Math.max(...this.#first)
    this.#mostSecond = Math.max(...this.#second)
    // A description that was hit itself makes a recogniser that knows nothing again.
    if (known < this.#learned / 2) {
      this.#recogniser = undefined
      exact = this.#lengthSize > 0
    }
    this.exact = exact
  }

  /** Bits for (or, negative, against) a sample of `size` bytes at `offset`. */
  bits(offset: number, size: number): number {
    if (size <= 0 || offset < 0 || offset + size > this.#reader.size) return -PROOF
    if (this.#lengthSize > 0) {
      if (!this.#isChain(offset, size)) return -PROOF
      // A zero behind the last unit may be padding, or the next sample's first byte.
      return this.#isChain(offset, size - 1) ? PROOF / 3 : PROOF
    }
    const start =
      this.#rarity(this.#first, this.#reader.u8(offset)) +
      this.#rarity(this.#second, this.#reader.u8(offset + 1))
    if (!this.#recogniser) return start
    const length = this.#lengthAt(offset)
    if (length === undefined) return start
    if (length === NONE || length > size) return -PROOF
    if (length === UNTOLD) return start + START
    if (length === size) return PROOF
    return this.#isFilled(offset + length, offset + size) ? PROOF / 3 : -PROOF / 2
  }

  /**
   * Whether bytes behind a sample are what its encoder filled up with; zeros there may be the next sample's first bytes as well.
   */
  #isFilled(from: number, to: number): boolean {
    return to - from <= this.#mostFiller && this.#work.take(to - from) && isFiller(this.#reader, from, to)
  }

  /** Where the sample behind `at` starts: behind what its encoder filled up with, if with anything. */
  #behindFiller(at: number, to: number): number {
    const end = Math.min(to, at + this.#mostFiller)
    if (!this.#isFilled(at, Math.min(at + 1, end))) return at
    const next = this.#recogniser?.search(this.#reader, at, end) ?? end
    return this.#isFilled(at, next) ? next : at
  }

  /** Bytes of the sample that the recogniser knows at an offset, asked once; undefined without steps to ask. */
  #lengthAt(offset: number): number | undefined {
    const known = this.#lengths.get(offset)
    if (known !== undefined) return known
    const recogniser = this.#recogniser
    if (!recogniser || !this.#work.take(START_BYTES)) return undefined
    const reader = this.#reader
    const unit = this.#unit
    const starts = recogniser.search(reader, offset, Math.min(reader.size, offset + START_BYTES)) === offset
    const end = Math.min(reader.size, offset + (this.#small ? LARGEST_SOUND : LARGEST))
    const found = starts && recogniser.recognise(reader, offset, end, unit)
    const length = !found ? NONE : unit.lengthKnown ? unit.length : UNTOLD
    // What it cost is known afterwards: the next sample is asked for as long as steps are left.
    if (length > 0) this.#work.take(length)
    else if (starts) this.#work.take(this.#small ? IN_VAIN : end - offset)
    this.#lengths.set(offset, length)
    return length
  }

  /** Whether a sample starts at an offset: false where that is impossible, true also where nothing tells. */
  mayStart(offset: number): boolean {
    if (offset < 0 || offset >= this.#reader.size) return false
    if (!this.#recogniser)
      return (
        this.#isUsual(this.#first, this.#mostFirst, offset) &&
        this.#isUsual(this.#second, this.#mostSecond, offset + 1)
      )
    return this.#recogniser.recognise(this.#reader, offset, this.#reader.size, this.#unit)
  }

  /**
   * Whether bytes at an offset are samples of these sizes, one behind the other: true when each proves itself to its last byte,
   * false when one is none, undefined where the codec does not tell.
   */
  areSamples(offset: number, sizes: Uint32Array): boolean | undefined {
    if (!this.exact) return undefined
    let at = offset
    let proven = true
    for (const size of sizes) {
      const bits = this.bits(at, size)
      if (bits < 0) return false
      proven &&= bits >= PROOF
      at += size
    }
    return proven || undefined
  }

  /**
   * Whether `count` whole samples, whatever their sizes, reach from one offset exactly to another; undefined where the codec does
   * not tell. NAL units tell no number of samples.
   */
  reach(from: number, to: number, count: number): boolean | undefined {
    if (to <= from || to > this.#reader.size) return false
    if (this.#lengthSize > 0) return this.#isChain(from, to - from)
    if (!this.exact) return undefined
    let at = from
    for (let sample = 0; sample < count; sample++) {
      const length = this.#lengthAt(at)
      if (length === undefined || length === UNTOLD) return undefined
      if (length === NONE || at + length > to) return false
      at = this.#behindFiller(at + length, to)
    }
    return at === to
  }

  /** True for bits with which a sample needs no other size. */
  proves(bits: number): boolean {
    return this.exact && bits >= PROOF
  }

  #isChain(offset: number, size: number): boolean {
    return (
      size > 0 && nalChain(this.#reader, this.#codec, this.#lengthSize, offset, size, this.#work) === size
    )
  }

  /** Bytes of the sample at `offset` by its syntax, 0 when that does not tell. */
  measure(offset: number, end: number): number {
    const unit = this.#unit
    if (!this.#recogniser?.recognise(this.#reader, offset, Math.min(end, this.#reader.size), unit)) return 0
    return unit.lengthKnown ? unit.length : 0
  }

  /** False for a byte other than the one that nearly all samples have there. */
  #isUsual(counts: Uint32Array, most: number, offset: number): boolean {
    const often = counts[this.#reader.u8(offset)]
    // What was seen once may have been seen where a flipped bit leads.
    if (this.#learned < FEW || often > Math.max(1, this.#learned * RARELY)) return true
    return most < this.#learned * NEARLY_ALL
  }

  /** Bits by which a byte is more frequent than chance has it. */
  #rarity(counts: Uint32Array, byte: number): number {
    return Math.log2(((counts[byte] + 0.25) / (this.#learned + 64)) * 256)
  }
}
