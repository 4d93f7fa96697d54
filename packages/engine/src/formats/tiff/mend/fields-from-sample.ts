import { personalFields } from '../../../photo/raw/personal-fields.ts'
import { readTiffHeader } from '../../../syntax/tiff-ifd/header.ts'
import { type Ifd, type IfdEntry, ifdLayout, numberOf, readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { TAG } from '../../../syntax/tiff-ifd/tags.ts'
import type { RepairJob } from '../../format.ts'
import { assess } from '../assess.ts'
import { UNCOMPRESSED } from '../read/compression.ts'
import { lostFields } from '../read/lost-fields.ts'
import { isPlausible, readStructure } from '../read/structure.ts'

/** Fields of one number that is a place in the file. */
const PLACES: readonly number[] = [TAG.subIfds, TAG.exifIfd, TAG.gpsIfd, TAG.jpegOffset]
const OFFSETS: readonly number[] = [TAG.stripOffsets, TAG.tileOffsets]
const COUNTS: readonly number[] = [TAG.stripByteCounts, TAG.tileByteCounts]
/** What two directories of photos that a camera wrote alike have in common, where both have it. */
const SAME: readonly number[] = [TAG.imageWidth, TAG.imageLength, TAG.compression, TAG.samplesPerPixel]
/** Bytes of a field in front of its value. */
const BEFORE_VALUE = { small: 8, big: 12 }

/**
 * Fields of a damaged file's directories, byte by byte, that something overwrote, as a sample has them: in its directory that has
 * all the others at the same places. Places in the file are taken over where all others that both have are the same; of where
 * strips lie and how long they are, the number alone.
 */
export async function fieldsFromSample({
  damaged: { reader },
  sample,
  limits,
  monitor,
}: RepairJob): Promise<ReadonlyMap<number, number>> {
  const bytes = new Map<number, number>()
  const header = sample && readTiffHeader(reader)
  if (!header) return bytes
  const { big, little } = header
  const numbers = new TiffNumbers(reader, little)
  const first = readIfd(numbers, header.firstIfd, big)
  if (!first || !isPlausible(first)) return bytes
  const hit = readStructure(numbers, first, big, limits).directories.flatMap((ifd) => {
    const lost = lostFields(numbers, ifd, big)
    return lost.length > 0 ? [{ ifd, lost }] : []
  })
  if (hit.length === 0) return bytes
  const theirs = await assess(sample.reader, limits, monitor)
  if (!theirs.healthy || !theirs.root || theirs.big !== big || theirs.numbers?.little !== little) return bytes
  const personal = personalFields(theirs.numbers, theirs.root, big)
  for (const { ifd, lost } of hit) {
    const pair = new Pair(numbers, ifd, theirs.numbers, big)
    const places = withNeighbours(ifd, lost, ifdLayout(big).entry)
    const like = theirs.structure?.directories.find((each) => pair.isLike(each, places))
    if (!like) continue
    for (const at of places) {
      const entry = pair.entryAt(like, at)
      if (entry && !lost.includes(at) && !pair.isBlanked(entry, at)) continue
      const told = entry && personal.some(({ offset, length }) => overlaps(entry, offset, length))
      const field = entry && !told ? pair.field(like, entry) : undefined
      for (const [i, byte] of (field ?? []).entries()) bytes.set(at + i, byte)
    }
  }
  return bytes
}

/** Places of fields, and of those beside them in the directory, of which a part may be hit. */
function withNeighbours(
  { offset, nextAt }: Ifd,
  lost: readonly number[],
  width: number,
): ReadonlySet<number> {
  const all = lost.flatMap((at) => [at - width, at, at + width])
  return new Set(all.filter((at) => at > offset && at < nextAt))
}

function overlaps({ inline, valueAt, bytes }: IfdEntry, offset: number, length: number): boolean {
  return inline && offset < valueAt + bytes && offset + length > valueAt
}

/** A directory that was hit, and those of a sample. */
class Pair {
  readonly #numbers: TiffNumbers
  readonly #ifd: Ifd
  readonly #sample: TiffNumbers
  readonly #big: boolean

  constructor(numbers: TiffNumbers, ifd: Ifd, sample: TiffNumbers, big: boolean) {
    this.#numbers = numbers
    this.#ifd = ifd
    this.#sample = sample
    this.#big = big
  }

  /** The sample's field at the place of one of the damaged file. */
  entryAt(like: Ifd, at: number): IfdEntry | undefined {
    const place = like.offset + at - this.#ifd.offset
    return [...like.entries.values()].find((entry) => entry.at === place)
  }

  /**
   * Whether a directory of the sample is as long, and has the fields of the damaged one but those that may be hit, with the same
   * size and coding.
   */
  isLike(like: Ifd, hit: ReadonlySet<number>): boolean {
    const ifd = this.#ifd
    return (
      like.end - like.offset === ifd.end - ifd.offset &&
      [...ifd.entries.values()].every(({ at, tag, type }) => {
        const theirs = this.entryAt(like, at)
        if (theirs && hit.has(at) && this.isBlanked(theirs, at)) return true
        const same = theirs?.tag === tag && theirs.type === type
        return (
          same && (!SAME.includes(tag) || this.#number(like, tag) === numberOf(this.#numbers, ifd, tag, 0))
        )
      })
    )
  }

  /** Whether a field of the damaged file is the sample's but for zeros. */
  isBlanked(entry: IfdEntry, at: number): boolean {
    const { entry: length } = ifdLayout(this.#big)
    const mine = this.#numbers.reader.bytes(at, length)
    const theirs = Uint8Array.from(this.#sample.reader.bytes(entry.at, length))
    const differ = mine.filter((byte, i) => byte !== theirs[i])
    return differ.length > 0 && differ.every((byte) => byte === 0)
  }

  /** A field as it is to stand; undefined where nothing tells its value. */
  field(like: Ifd, { at, tag, inline }: IfdEntry): Uint8Array | undefined {
    const field = Uint8Array.from(this.#sample.reader.bytes(at, ifdLayout(this.#big).entry))
    if ((!inline || PLACES.includes(tag)) && !this.#placesAlike(like)) return undefined
    const plain = this.#number(like, TAG.compression) === UNCOMPRESSED
    if (inline && (OFFSETS.includes(tag) || (COUNTS.includes(tag) && !plain)))
      field.fill(0, this.#big ? BEFORE_VALUE.big : BEFORE_VALUE.small)
    return field
  }

  #number(like: Ifd, tag: number): number {
    return numberOf(this.#sample, like, tag, 0)
  }

  /** Whether the directories lie at the same place, and all values outside them that are told of in both. */
  #placesAlike(like: Ifd): boolean {
    const ifd = this.#ifd
    return (
      like.offset === ifd.offset &&
      [...ifd.entries.values()].every(
        ({ inline, at, valueAt }) => inline || this.entryAt(like, at)?.valueAt === valueAt,
      )
    )
  }
}
