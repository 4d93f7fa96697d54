import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { type Recogniser, Unit } from '../../../codecs/recogniser.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { hasZeroHole } from '../../../recording/zero-holes.ts'
import { type ChunkTable, DAMAGED, REWRITTEN } from '../read/chunk-table.ts'
import { showsHoles } from '../read/look.ts'
import type { AviStream } from '../read/stream.ts'

/** What a chunk's payload looks like: a whole unit, one with damage, or none. */
export type UnitState = 'whole' | 'hit' | 'none'

/** Sound in frames that fill their chunk one after another. */
const FRAMED_SOUND: ReadonlySet<string> = new Set(['mp3', 'ac3', 'dts', 'aac-adts'])
/** Those of them whose frames carry checksums. */
const CHECKSUMMED: ReadonlySet<string> = new Set(['ac3'])
/** Chunks of whole frames whose checksums hold, for each that is none, before that is called a hit. */
const BELIEVED = 8
/** Bits of evidence by which a unit is none by chance. */
const SURE = 24
/** Sound in blocks that are decoded each for itself. */
const BLOCKS = /^adpcm/
/** Bytes that a unit may be shorter than its chunk. */
const SLACK = 64
/** Units from which a recogniser learns before it judges. */
const LEARNED = 24

/** Judges the units of one stream by their bytes. */
export class UnitCheck {
  readonly #reader: ByteReader
  readonly #codec: string
  readonly #recogniser: Recogniser | undefined
  readonly #pictures: boolean
  readonly #plainBytes: number
  /** Of sound that is coded in blocks of one size; else 0. */
  readonly #blockBytes: number
  readonly #unit = new Unit()
  /** Healthy units not learned from yet: nearly every file has none to be judged. */
  #lessons: { readonly offset: number; readonly size: number; readonly reader: ByteReader }[] = []
  /** Of the units learned from, those of whole frames whose checksums hold, and all others. */
  #held = 0
  #failed = 0

  constructor(reader: ByteReader, stream: AviStream) {
    const { codec, kind } = stream.description
    this.#reader = reader
    // without a configuration frames of AAC say themselves how they are to be read
    this.#codec = codec === 'aac' && stream.description.config.length === 0 ? 'aac-adts' : codec
    this.#recogniser = codecNamed(this.#codec)?.recogniser(stream.description)
    this.#pictures = kind === 'video'
    this.#blockBytes = BLOCKS.test(codec) ? (stream.wave?.blockAlign ?? 0) : 0
    this.#plainBytes = codec === 'rawvideo' && kind === 'video' ? (stream.bitmap?.imageBytes ?? 0) : 0
  }

  /** Whether zeros in a unit show that it was hit: reads all of it. */
  hasHole(offset: number, size: number): boolean {
    return showsHoles(this.#codec) && hasZeroHole(this.#reader, offset, size)
  }

  /** A healthy unit of the stream, in this file or another one, from which to learn before the first is judged. */
  learn(offset: number, size: number, reader = this.#reader): void {
    if (this.#recogniser && size > 0) this.#lessons.push({ offset, size, reader })
  }

  #study(recogniser: Recogniser): void {
    for (const { offset, size, reader } of this.#lessons) {
      if (recogniser.recognise(reader, offset, offset + size, this.#unit)) {
        recogniser.learn?.(reader, offset, size)
        recogniser.accept(reader, offset, this.#unit)
      }
      if (!CHECKSUMMED.has(this.#codec)) continue
      if (this.#holds(recogniser, reader, offset, size)) this.#held++
      else this.#failed++
    }
    this.#lessons = []
  }

  /** Whether checksums show that a unit was hit, in a stream of which they hold: reads all of it. */
  isMisread(offset: number, size: number): boolean {
    const recogniser = this.#recogniser
    if (!recogniser || !CHECKSUMMED.has(this.#codec) || size === 0) return false
    this.#study(recogniser)
    return this.#held >= BELIEVED * (1 + this.#failed) && !this.#holds(recogniser, this.#reader, offset, size)
  }

  /** Whether bytes of other things look like no whole unit. */
  get tells(): boolean {
    return this.#recogniser?.selfDelimiting === true && this.#codec !== 'pcm'
  }

  /**
   * Whether a unit is one and whole, and not the beginning of one and the end of another: its length is told or read, and not by
   * the marker of an end alone, as of JPEG.
   */
  isOne(offset: number, size: number): boolean {
    if (!this.tells || this.#codec === 'mjpeg' || this.state(offset, size) !== 'whole') return false
    return !this.#pictures || this.#unit.lengthKnown
  }

  /**
   * The first place in [from, end) from which to `end` is one whole unit, as surely as chance hardly has one, or `end`; bytes
   * looked at are taken from `allowance`.
   */
  wholeFrom(from: number, end: number, allowance: Allowance): number {
    const recogniser = this.#recogniser
    if (!recogniser || !this.tells) return end
    this.#study(recogniser)
    let at = recogniser.search(this.#reader, from, end)
    while (at < end && allowance.take(end - at)) {
      if (this.state(at, end - at) === 'whole' && this.#unit.evidence >= SURE) return at
      at = recogniser.search(this.#reader, at + 1, end)
    }
    return end
  }

  /**
   * Looks at a unit whose bytes may have been hit; `torn` where some are missing. Of pictures that nothing bounds, whose bytes in
   * and behind a hole are read as others, predicted ones spoil more than they show.
   */
  state(offset: number, size: number, torn = false): UnitState {
    const reader = this.#reader
    const recogniser = this.#recogniser
    if (size === 0) return 'whole'
    if (offset < 0 || offset + size > reader.size || isZero(reader, offset, offset + size)) return 'none'
    const cut = this.#codec !== 'pcm' && this.#runsIntoZeros(offset, size)
    if (cut && !(this.#pictures && recogniser)) return 'hit'
    if (this.#plainBytes > 0) return size === this.#plainBytes ? 'whole' : 'hit'
    // of sound in blocks a part is none
    if (torn && this.#blockBytes > 1 && size % this.#blockBytes > 0) return 'none'
    if (!recogniser || this.#codec === 'pcm') return torn || this.hasHole(offset, size) ? 'hit' : 'whole'
    this.#study(recogniser)
    if (FRAMED_SOUND.has(this.#codec)) {
      const frames = this.#frames(recogniser, reader, offset, size)
      return frames === 'whole' && this.isMisread(offset, size) ? 'hit' : frames
    }
    const unit = this.#unit
    unit.damaged = false
    if (!recogniser.recognise(reader, offset, offset + size, unit)) return 'none'
    const holed = torn || cut || this.hasHole(offset, size)
    if (holed && !recogniser.selfDelimiting && !unit.key) return 'none'
    const whole =
      !holed &&
      !unit.damaged &&
      unit.length + SLACK >= size &&
      recogniser.intact?.(reader, offset, size) !== false
    return whole ? 'whole' : 'hit'
  }

  /** Whether zeros that lie behind a unit begin inside it. */
  #runsIntoZeros(offset: number, size: number): boolean {
    const end = offset + size
    const reader = this.#reader
    return (
      size > 2 &&
      reader.u16(end - 2) === 0 &&
      end + 8 <= reader.size &&
      reader.u32(end) === 0 &&
      reader.u32(end + 4) === 0
    )
  }

  /** Whether frames follow each other to the end of the chunk. */
  #frames(recogniser: Recogniser, reader: ByteReader, offset: number, size: number): UnitState {
    const end = offset + size
    let at = offset
    while (at < end && recogniser.recognise(reader, at, end, this.#unit)) at += this.#unit.length
    if (at === offset) {
      // frames may lie across chunks: one that begins inside will do
      return recogniser.search(reader, offset, end) < end ? 'hit' : 'none'
    }
    return at === end ? 'whole' : 'hit'
  }

  #holds(recogniser: Recogniser, reader: ByteReader, offset: number, size: number): boolean {
    return (
      this.#frames(recogniser, reader, offset, size) === 'whole' &&
      recogniser.intact?.(reader, offset, size) !== false
    )
  }
}

/** Checks of all streams that have learned from the first whole units of each. */
export function learnedChecks(
  reader: ByteReader,
  chunks: ChunkTable,
  streams: readonly AviStream[],
): UnitCheck[] {
  const checks = streams.map((stream) => new UnitCheck(reader, stream))
  const counts = streams.map(() => 0)
  for (let row = 0; row < chunks.length && counts.some((count) => count < LEARNED); row++) {
    const stream = chunks.stream[row]
    if (stream >= streams.length || chunks.flags[row] & (DAMAGED | REWRITTEN) || counts[stream]++ >= LEARNED)
      continue
    checks[stream].learn(chunks.offset[row], chunks.size[row])
  }
  return checks
}
