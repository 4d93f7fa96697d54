import { inflateZlib } from '../../../bytes/deflate/inflate-zlib.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { isFiller } from '../../../bytes/zeros.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { packetSamples } from '../../../codecs/opus/packet.ts'
import { type Recogniser, Unit } from '../../../codecs/recogniser.ts'
import { nalChain, nalLengthSize } from '../../../recording/nal-chain.ts'
import { hasZeroHole } from '../../../recording/zero-holes.ts'
import { type Frame, restoredFrame } from './restored-frame.ts'
import type { MatroskaTrack } from './track.ts'

/** Bits by which a chain of NAL units that fills a frame speaks for it. */
const CHAIN_BITS = 32
/** Bits by which a start code and what has to follow it speak for a frame. */
const CODE_BITS = 25
/** What speaks for a frame of which nothing is known. */
export const UNKNOWN_BITS = 0.5
/** Opus rules few lengths out. */
const OPUS_BITS = 1
/** Frames tried before the checker's no is believed, and of how many hundred it must have said yes to. */
const TRIED = 24
const BELIEVED = 0.97
/** Pictures that may be blank for long. */
const QUIET: ReadonlySet<string> = new Set(['rawvideo', 'ffv1'])
/** Sound that leaves no long runs of zeros: all other kinds may be silent for long. */
const DENSE_SOUND: ReadonlySet<string> = new Set(['aac', 'opus', 'vorbis', 'ac3', 'eac3'])

/** Bytes of compressed frames that are unpacked of a track to see whether their sums hold, and what one may come to. */
const MOST_UNPACKED = 64 << 20
const LARGEST_FRAME = 32 << 20
/** The first two bytes are a multiple of this. */
const ZLIB_CHECK = 31

/** Judges frames of one track by their codec. */
export class FrameChecker {
  readonly #reader: ByteReader
  readonly #track: MatroskaTrack
  readonly #recogniser: Recogniser | undefined
  readonly #lengthSize: number
  readonly #unit = new Unit()
  #tried = 0
  #passed = 0
  #left = MOST_UNPACKED
  #hasUnpacked = false

  constructor(reader: ByteReader, track: MatroskaTrack) {
    this.#reader = reader
    this.#track = track
    const { description } = track
    const isPlain = track.encoding === 'none' || track.encoding === 'stripped'
    this.#recogniser =
      isPlain && description.framing !== 'startcode'
        ? codecNamed(description.codec)?.recogniser(description)
        : undefined
    this.#lengthSize = nalLengthSize(description)
  }

  /** Bytes of a sample of all channels where samples are stored as they are, else 0. */
  get sampleBytes(): number {
    const { description, encoding } = this.#track
    return encoding === 'none' && description.codec === 'pcm' ? (description.blockAlign ?? 0) : 0
  }

  /** Bits by which [offset, offset + size) is one frame of the track; 0 when the codec says that it is none. */
  bits(offset: number, size: number): number {
    const { encoding } = this.#track
    if (encoding !== 'none' && encoding !== 'stripped') return UNKNOWN_BITS
    return this.#bitsOf(this.#whole(offset, size))
  }

  /** The frame as a decoder gets it: with what all of the track begin with, where blocks leave that out. */
  #whole(offset: number, size: number): Frame {
    const { stripped } = this.#track
    return stripped.length > 0
      ? restoredFrame(this.#reader, stripped, offset, size)
      : { reader: this.#reader, offset, size }
  }

  #bitsOf({ reader, offset, size }: Frame): number {
    const { description } = this.#track
    if (description.framing === 'length')
      return nalChain(reader, description.codec, this.#lengthSize, offset, size) === size ? CHAIN_BITS : 0
    if (description.framing === 'startcode') return startsCode(reader, offset, size) ? CODE_BITS : 0
    if (description.codec === 'opus')
      return packetSamples(reader.bytes(offset, size)) > 0 || (description.channels ?? 1) > 2 ? OPUS_BITS : 0
    if (description.codec === 'pcm') return size % (description.blockAlign ?? 1) === 0 ? UNKNOWN_BITS : 0
    const recogniser = this.#recogniser
    if (!recogniser) return UNKNOWN_BITS
    const unit = this.#unit
    if (!recogniser.recognise(reader, offset, offset + size, unit)) return 0
    if (unit.lengthKnown && unit.length !== size) {
      const rest = offset + unit.length
      if (unit.length > size || !isFiller(reader, rest, offset + size)) return 0
    }
    return Math.max(UNKNOWN_BITS, unit.evidence)
  }

  /** Learns how far to trust itself from a frame in whose surroundings nothing is wrong. */
  see(offset: number, size: number): void {
    if (this.#tried >= TRIED * 4) return
    this.#tried++
    if (this.bits(offset, size) > 0) this.#passed++
  }

  /** The same of all frames of a block, by their offsets and the end of the last. */
  seeAll(places: readonly number[]): void {
    for (let i = 1; i < places.length; i++) this.see(places[i - 1], places[i] - places[i - 1])
  }

  /** Whether a frame that does not fit is surely hit: those of the track that were whole did fit. */
  get telling(): boolean {
    return this.#tried >= Math.min(TRIED, 4) && this.#passed >= this.#tried * BELIEVED
  }

  /** Whether the codec's own syntax, or a compressed frame's sum, says that this is a frame of the track, and can be believed. */
  isSure(offset: number, size: number): boolean {
    if (this.#track.encoding === 'zlib') return !this.#isTorn(offset, size) && this.#hasUnpacked
    return this.telling && this.bits(offset, size) > UNKNOWN_BITS
  }

  /**
   * Whether a frame compressed with zlib cannot be unpacked, or its sum does not hold, RFC 1950 §2.2; as long as there are not
   * too many.
   */
  #isTorn(offset: number, size: number): boolean {
    this.#left -= size
    if (this.#left < 0) return false
    const { end, checked } = inflateZlib(this.#reader.bytes(offset, size), LARGEST_FRAME)
    if (checked === true) this.#hasUnpacked = true
    // one that does not even begin as such is hit where others do
    const isZlib = this.#hasUnpacked || this.#reader.u16(offset) % ZLIB_CHECK === 0
    return isZlib && end !== 'bounded' && checked !== true
  }

  /** Whether the bytes of a frame are hit, as far as the codec and long runs of zeros show. */
  isHit(offset: number, size: number): boolean {
    if (size === 0) return false
    const { codec, kind } = this.#track.description
    if (this.#track.encoding === 'zlib') return this.#isTorn(offset, size)
    if (this.telling && this.bits(offset, size) === 0) return true
    const whole = this.#whole(offset, size)
    if (this.telling && this.#recogniser?.intact?.(whole.reader, whole.offset, whole.size) === false)
      return true
    if (kind === 'text' || QUIET.has(codec) || (kind === 'audio' && !DENSE_SOUND.has(codec))) return false
    return hasZeroHole(this.#reader, offset, size)
  }
}

/** Whether a frame begins with a start code, ITU-T H.264 and H.265 Annex B, and a NAL unit whose forbidden bit is zero. */
function startsCode(reader: ByteReader, offset: number, size: number): boolean {
  const code = reader.u24(offset) === 1 ? offset : offset + 1
  const isCode = reader.u24(code) === 1 && (code === offset || reader.u8(offset) === 0)
  return isCode && code + 4 < offset + size && reader.u8(code + 3) < 0x80
}
