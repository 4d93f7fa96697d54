import type { ByteReader } from '../../bytes/reader.ts'
import { isFiller, isZero } from '../../bytes/zeros.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type PcmLayout, pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'
import { nalChain, nalLengthSize } from '../nal-chain.ts'
import { hasZeroHole, isDense } from '../zero-holes.ts'
import { headerChecker } from './header-checker.ts'
import { LearnedSignature } from './learned-signature.ts'

/** Says whether bytes can be a sample of one track. */
export interface SampleChecker {
  /** Bits by which a passing sample speaks for lying where it lies; 0 when this track's samples cannot be checked. */
  readonly bits: number
  /** Bits by which a passing sample speaks for the index being right there, the sample's length included. */
  readonly weight: number
  /** True when a sample that does not fit is surely none. */
  readonly certain: boolean
  /** True when a sample that fits was parsed to its end, so that no byte can be missing in it. */
  readonly exact: boolean
  /** Its samples tell by how many bytes an index is off: those of hint tracks follow the media that they are about. */
  readonly leads: boolean
  /** Samples of this track that nothing can be checked of are plain sound, which can be listened to. */
  readonly sound?: PcmLayout
  /** Are the bytes exactly one sample, judged by its structure? */
  fits(offset: number, size: number): boolean
  /** Is nothing inside impossible for the codec? Reads all bytes. Only asked of samples that fit. */
  intact(offset: number, size: number): boolean
  /** Bytes of a sample that starts at `offset`, or 0 when none does or its length cannot be told. */
  measure(offset: number, end: number): number
  /** Bits by which the sample that was measured last is no chance. */
  readonly measuredBits: number
  /** What `search` finds are key pictures alone. */
  readonly findsKeys?: true
  /** First offset in [from, end) where a sample may start, or `end`. */
  search(from: number, end: number): number
  /** Bytes from `offset` on that a decoder can still use of a sample that does not fit, 0 for none. */
  usable(offset: number, size: number): number
}

/** Builds the best checker for a track: NAL unit chains, the codec's recogniser, else what all its samples begin with. */
export function sampleChecker(
  reader: ByteReader,
  track: TrackDescription,
  table: SampleTable,
  shifts: readonly number[],
): SampleChecker {
  const recogniser = codecNamed(track.codec)?.recogniser(track)
  const hidden = track.facts?.protected
  if (typeof hidden === 'string') return new NalChecker(reader, { ...track, codec: hidden }, undefined)
  if (track.framing === 'length') return new NalChecker(reader, track, recogniser)
  if (recogniser?.selfDelimiting) {
    for (const shift of [0, ...shifts]) introduce(reader, recogniser, table, shift)
    return new UnitChecker(reader, recogniser, new LearnedSignature(reader, track, table), table, shifts)
  }
  const signature = new LearnedSignature(reader, track, table, shifts)
  const hasHeaders = recogniser && track.kind === 'video' && signature.bits === 0
  const byHeaders = hasHeaders ? headerChecker(reader, recogniser, table, shifts) : undefined
  return byHeaders ?? new SignatureChecker(reader, track, signature, recogniser)
}

/** Samples by which a recogniser gets to know a track: one of them has the headers that later ones do without. */
const INTRODUCED = 16

function introduce(reader: ByteReader, recogniser: Recogniser, table: SampleTable, shift: number): void {
  for (let row = 0; row < Math.min(INTRODUCED, table.length); row++) {
    const offset = table.offset[row] + shift
    if (offset >= 0 && offset + table.size[row] <= reader.size)
      recogniser.learn?.(reader, offset, table.size[row])
  }
}

class NalChecker implements SampleChecker {
  readonly bits = 32
  readonly leads = true
  readonly certain = true
  readonly weight = 32
  readonly exact = false
  readonly #reader: ByteReader
  readonly #codec: string
  readonly #lengthSize: number
  readonly #recogniser: Recogniser | undefined
  readonly #unit = new Unit()

  constructor(reader: ByteReader, track: TrackDescription, recogniser: Recogniser | undefined) {
    this.#reader = reader
    this.#codec = track.codec
    this.#lengthSize = nalLengthSize(track)
    this.#recogniser = recogniser
  }

  fits(offset: number, size: number): boolean {
    return nalChain(this.#reader, this.#codec, this.#lengthSize, offset, size) === size
  }

  intact(offset: number, size: number): boolean {
    return this.#recogniser?.intact?.(this.#reader, offset, size) ?? true
  }

  measure(offset: number, end: number): number {
    const recogniser = this.#recogniser
    if (!recogniser?.recognise(this.#reader, offset, end, this.#unit)) return 0
    return this.#unit.lengthKnown ? this.#unit.length : 0
  }

  get measuredBits(): number {
    return this.#unit.evidence
  }

  search(from: number, end: number): number {
    return this.#recogniser?.search(this.#reader, from, end) ?? end
  }

  usable(offset: number, size: number): number {
    const whole = nalChain(this.#reader, this.#codec, this.#lengthSize, offset, size)
    return whole > 0 && this.measure(offset, offset + whole) > 0 ? whole : 0
  }
}

class UnitChecker implements SampleChecker {
  readonly bits = 20
  readonly leads: boolean
  readonly certain: boolean
  readonly weight = 20
  readonly exact = true
  readonly #reader: ByteReader
  readonly #recogniser: Recogniser
  readonly #signature: LearnedSignature | undefined
  readonly #unit = new Unit()

  constructor(
    reader: ByteReader,
    recogniser: Recogniser,
    signature: LearnedSignature,
    table: SampleTable,
    shifts: readonly number[],
  ) {
    this.#reader = reader
    this.#recogniser = recogniser
    this.certain = recogniser.codec === 'aac'
    this.leads = recogniser.codec !== 'rtp'
    if (signature.telling && !this.#areDisplaced(table, shifts)) this.#signature = signature
  }

  /** What begins as nearly all samples of the track do is believed even where the recogniser knows the syntax otherwise. */
  fits(offset: number, size: number): boolean {
    return this.#parses(offset, size) || (this.#signature?.matches(this.#reader, offset, size) ?? false)
  }

  /**
   * Whether most samples are units by the recogniser at one of the shifts, and not where the index has them: what they share
   * there is their inside.
   */
  #areDisplaced({ length, offset, size }: SampleTable, shifts: readonly number[]): boolean {
    const step = Math.max(1, Math.floor(length / INTRODUCED))
    const share = (shift: number): number => {
      let parsed = 0
      let rows = 0
      for (let row = 0; row < length; row += step, rows++)
        if (this.#parses(offset[row] + shift, size[row])) parsed++
      return parsed / Math.max(1, rows)
    }
    return share(0) < 0.5 && shifts.some((shift) => share(shift) > 0.5)
  }

  #parses(offset: number, size: number): boolean {
    const unit = this.#unit
    if (!this.#recogniser.recognise(this.#reader, offset, offset + size, unit)) return false
    if (!unit.lengthKnown || unit.length === size) return true
    // Encoders that fill up a constant rate or whole blocks leave filler behind the unit.
    return unit.length < size && isFiller(this.#reader, offset + unit.length, offset + size)
  }

  intact(offset: number, size: number): boolean {
    if (isDense(this.#recogniser.codec) && hasZeroHole(this.#reader, offset, size)) return false
    return this.#recogniser.intact?.(this.#reader, offset, size) ?? true
  }

  measure(offset: number, end: number): number {
    if (!this.#recogniser.recognise(this.#reader, offset, end, this.#unit)) return 0
    return this.#unit.lengthKnown ? this.#unit.length : 0
  }

  get measuredBits(): number {
    return this.#unit.evidence
  }

  search(from: number, end: number): number {
    return this.#recogniser.search(this.#reader, from, end)
  }

  /** What the recogniser cannot tell apart from its own error is left to the decoder. */
  usable(offset: number, size: number): number {
    if (this.certain || isZero(this.#reader, offset, offset + size)) return 0
    return this.#recogniser.readable?.(this.#reader, offset, offset + size) ?? size
  }
}

class SignatureChecker implements SampleChecker {
  readonly bits: number
  readonly leads = true
  readonly certain = false
  readonly weight: number
  readonly exact = false
  readonly measuredBits = 0
  readonly sound?: PcmLayout
  readonly #signature: LearnedSignature
  readonly #reader: ByteReader
  readonly #compressed: boolean
  readonly #recogniser: Recogniser | undefined
  readonly #unit = new Unit()

  constructor(
    reader: ByteReader,
    track: TrackDescription,
    signature: LearnedSignature,
    recogniser: Recogniser | undefined,
  ) {
    this.#reader = reader
    this.#compressed = isDense(track.codec)
    this.#recogniser = recogniser
    this.#signature = signature
    this.bits = signature.bits
    // Start codes occur at every unit: fitting says nothing of the length.
    this.weight = signature.bits / 2
    const sound = track.codec === 'pcm' && this.bits === 0 ? pcmLayoutOf(track) : undefined
    if (sound) this.sound = sound
  }

  /** A head that the codec's recogniser knows is one, too: pictures that are not shown begin otherwise than those that are. */
  fits(offset: number, size: number): boolean {
    if (this.#signature.matches(this.#reader, offset, size)) return true
    return this.#recogniser?.recognise(this.#reader, offset, offset + size, this.#unit) ?? false
  }

  intact(offset: number, size: number): boolean {
    return !this.#compressed || !hasZeroHole(this.#reader, offset, size)
  }

  measure(): number {
    return 0
  }

  search(from: number, end: number): number {
    return this.#signature.search(this.#reader, from, end)
  }

  usable(offset: number, size: number): number {
    return isZero(this.#reader, offset, offset + size) ? 0 : size
  }
}
