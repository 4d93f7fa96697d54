import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import { leastOf } from '../../../model/extremes.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { JPEG_COMPRESSIONS, PANASONIC_BLOCKS, UNCOMPRESSED, VC5 } from '../read/compression.ts'
import type { TiffImage } from '../read/image.ts'
import { vc5Anchor } from '../read/vc5.ts'

/** Where the units of a picture lie in a file whose bytes are `shift` further on than they should. */
export interface PlacedPixels {
  /** Bytes that are missing in front of the damaged file. */
  readonly shift: number
  /** Where each unit lies once they are back, and its bytes. */
  readonly units: readonly { readonly offset: number; readonly bytes: number }[]
  /** Nothing in the bytes shows that they belong there. */
  readonly guessed: boolean
  /** Bytes from the first unit's start on that are the same in all photos of the camera: what its decoder needs to begin with. */
  readonly start: number
}

/** Bytes by which the first units of two photos of a camera agree: a lossless JPEG's tables. */
const SAME_START = 12

/** A picture of a sample, and the damaged photo whose pixels are to be found. */
export interface Placing {
  readonly sample: ByteReader
  readonly main: TiffImage
  readonly damaged: ByteReader
  /** It begins with its own header, or with zeros in its place: what is left of it lies where it lay. */
  readonly stands: boolean
}

/**
 * Finds where the pixels of a damaged photo lie, by what a sample of the same camera tells of its own; undefined where nothing
 * speaks for a place.
 */
export async function placePixels(placing: Placing, monitor: Monitor): Promise<PlacedPixels | undefined> {
  const { main } = placing
  if (JPEG_COMPRESSIONS.includes(main.compression)) {
    const found = await byStarts(placing, monitor)
    if (found) return found
  }
  if (main.compression === VC5) {
    const found = byAnchor(placing)
    if (found) return found
  }
  return byPlace(placing)
}

/** By how JPEG streams begin, which tables make alike: the last units where the first ones are lost. */
async function byStarts(
  { sample, main, damaged, stands }: Placing,
  monitor: Monitor,
): Promise<PlacedPixels | undefined> {
  const pattern = Uint8Array.from(sample.bytes(main.units[0].offset, SAME_START))
  const found: number[] = []
  for (const { at, bytes, length } of searchPieces(damaged, 0, damaged.size, SAME_START)) {
    for (let i = bytes.indexOf(pattern[0]); i >= 0 && i < length; i = bytes.indexOf(pattern[0], i + 1))
      if (pattern.every((byte, n) => bytes[i + n] === byte)) found.push(at + i)
    await monitor.pause()
  }
  const lost = main.units.length - found.length
  if (found.length === 0 || lost < 0) return undefined
  // without the first ones, the order of those that are left must be the order of writing
  if (lost > 0 && main.units.some(({ offset }, i) => i > 0 && offset < main.units[i - 1].offset))
    return undefined
  const end = damaged.size - Math.max(0, sample.size - endOf(main))
  const shift = stands ? 0 : Math.max(0, main.units[lost].offset - found[0])
  return {
    shift,
    guessed: false,
    start: 0,
    units: main.units.map((unit, i) => {
      const at = found[i - lost]
      if (at === undefined) return { offset: unit.offset, bytes: unit.bytes }
      return { offset: at + shift, bytes: Math.max(0, (found[i - lost + 1] ?? end) - at) }
    }),
  }
}

/** By the first part of a VC-5 stream behind its coarsest band, whose length does not depend on the photo. */
function byAnchor({ sample, main, damaged, stands }: Placing): PlacedPixels | undefined {
  const [unit] = main.units
  const anchor = main.units.length === 1 && vc5Anchor(sample, unit.offset)
  if (!anchor) return undefined
  const { pattern } = anchor
  for (const { at, bytes, length } of searchPieces(damaged, 0, damaged.size, pattern.length)) {
    for (
      let i = bytes.indexOf(pattern[1]) - 1;
      i + 1 >= 0 && i < length;
      i = bytes.indexOf(pattern[1], i + 2) - 1
    ) {
      if (i < 0 || !pattern.every((byte, n) => bytes[i + n] === byte)) continue
      const first = at + i - anchor.offset
      const shift = stands ? 0 : Math.max(0, unit.offset - first)
      const offset = first + shift
      const tail = sample.size - (unit.offset + unit.bytes)
      return {
        shift,
        guessed: false,
        start: anchor.start,
        units: [{ offset, bytes: damaged.size + shift - offset - tail }],
      }
    }
  }
  return undefined
}

/** By the distance from the file's end or start, where pixels take as many bytes in every photo. */
function byPlace({ sample, main, damaged, stands }: Placing): PlacedPixels | undefined {
  const first = leastOf(main.units, ({ offset }) => offset)
  const same = damaged.size === sample.size
  if (!isFixed(main)) {
    // a code whose length is its own begins where the sample's does, as long as nothing in front of it grows
    if (main.units.length > 1 || (!stands && !same)) return undefined
    const bytes = damaged.size - first - (sample.size - endOf(main))
    return { shift: 0, units: [{ offset: first, bytes }], guessed: !same, start: 0 }
  }
  const fromEnd = damaged.size - (sample.size - first)
  const shift = stands || same ? 0 : Math.max(0, first - fromEnd)
  // a shorter file has a shorter preview, or breaks off: a preview shrinks by less than it takes
  const breaksOff = stands && first - fromEnd > first / 2
  const move = breaksOff ? 0 : fromEnd + shift - first
  return {
    shift,
    guessed: !same && stands,
    start: 0,
    units: main.units.map(({ offset, bytes }) => ({ offset: offset + move, bytes })),
  }
}

/**
 * Whether the pixels take as many bytes whatever they show: uncoded ones, and those of codes with a fixed number of bytes for a
 * row.
 */
export function isFixed({ compression, units, height }: TiffImage): boolean {
  return (
    compression === UNCOMPRESSED ||
    compression === PANASONIC_BLOCKS ||
    (units.length === 1 && units[0].bytes % height === 0)
  )
}

function endOf({ units }: TiffImage): number {
  return units.reduce((most, { offset, bytes }) => Math.max(most, offset + bytes), 0)
}
