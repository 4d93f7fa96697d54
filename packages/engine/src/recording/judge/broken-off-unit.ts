import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Unit } from '../../codecs/recogniser.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { CarvedTrack } from '../../recovery/carve.ts'
import { nalChain, nalLengthSize } from '../nal-chain.ts'

/** Times the largest unit found that the one which broke off may have been. */
const LARGER = 4
/** Bytes in which a picture's first sign stands. */
const START_BYTES = 16
/** Bits of evidence that torn units seldom show, and units that show them together. */
const SOME = 8
const CHAINED = 2

/** Tells bytes that are a part of one unit, by the units that were found. */
export class BrokenOffUnits {
  readonly #reader: ByteReader
  readonly #tracks: readonly CarvedTrack[]
  /** Bytes of each track's largest unit. */
  readonly #largest: readonly number[]

  constructor(reader: ByteReader, tracks: readonly CarvedTrack[]) {
    this.#reader = reader
    this.#tracks = tracks
    this.#largest = tracks.map(({ table }) => largestOf(table))
  }

  /** Bytes that no unit is likely to be larger than. */
  get depth(): number {
    return Math.max(0, ...this.#largest) * LARGER
  }

  /** True where bytes may be the first part of one unit: of the one that was being written, or whose other part was hit. */
  isTorn(bytes: Region): boolean {
    return this.#isPart(this.#tracks, bytes)
  }

  /**
   * True where bytes begin a unit whose own length says that it reaches beyond them: some of it is missing, and nothing else lies
   * in it.
   */
  isCutShort(bytes: Region): boolean {
    const sized = this.#tracks.filter(({ description }) => description.framing === 'length')
    return this.#isPart(sized, bytes)
  }

  #isPart(tracks: readonly CarvedTrack[], bytes: Region): boolean {
    return tracks.some((track) => this.#breaksOff(track, bytes)) && !beginsWhole(this.#reader, tracks, bytes)
  }

  /** Whether bytes are no more than a unit of a track, and begin as one does. */
  #breaksOff(track: CarvedTrack, { offset, length }: Region): boolean {
    const { description } = track
    const largest = this.#largest[this.#tracks.indexOf(track)]
    if (description.framing === 'length')
      return length <= largest * LARGER && isCutChain(this.#reader, description, offset, length, largest)
    if (length > largest) return false
    // sound is searched for by whole units; those of it are small
    const pictures = description.kind === 'video' && codecNamed(description.codec)?.recogniser(description)
    const end = Math.min(offset + START_BYTES, this.#reader.size)
    return !pictures || pictures.search(this.#reader, offset, end) === offset
  }
}

/** Whether whole units of a track, though of little evidence each, stand one behind the other at the start of bytes. */
function beginsWhole(
  reader: ByteReader,
  tracks: readonly CarvedTrack[],
  { offset, length }: Region,
): boolean {
  const unit = new Unit()
  return tracks.some(({ description }) => {
    const recogniser = codecNamed(description.codec)?.recogniser(description)
    if (!recogniser?.selfDelimiting) return false
    let evidence = 0
    for (let at = offset, units = 0; units < CHAINED && evidence < SOME; units++) {
      const found = recogniser.recognise(reader, at, offset + length, unit)
      if (!found || !unit.lengthKnown || unit.damaged) break
      evidence += unit.evidence
      at += unit.length
    }
    return evidence >= SOME
  })
}

/** Bytes of a track's largest unit. */
function largestOf(table: SampleTable): number {
  let largest = 0
  for (let row = 0; row < table.length; row++) largest = Math.max(largest, table.size[row] / table.count[row])
  return largest
}

/** Whether whole NAL units and one whose length leads past the end lie at an offset. */
function isCutChain(
  reader: ByteReader,
  description: CarvedTrack['description'],
  offset: number,
  length: number,
  largest: number,
): boolean {
  const lengthSize = nalLengthSize(description)
  const at = offset + nalChain(reader, description.codec, lengthSize, offset, length)
  const left = offset + length - at
  if (left <= lengthSize) return true
  let unit = 0
  for (let i = 0; i < lengthSize; i++) unit = unit * 256 + reader.u8(at + i)
  // the first bit of every NAL unit is zero
  return unit + lengthSize > left && unit <= largest * LARGER && (reader.u8(at + lengthSize) & 0x80) === 0
}
