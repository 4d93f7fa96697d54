import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { type Box, isCut, readChildren } from '../../../syntax/iso-boxes/box.ts'

/** Boxes that stand beside the pictures at the top of a photo, and that nothing else tells of. */
export interface BoxesBeside {
  /** Those that are whole, in order of the file. */
  readonly places: readonly Region[]
  /** The file ends within one more. */
  readonly cut: boolean
}

/** Boxes at the top of a photo that are looked at, and of those behind pictures where nothing in front leads to them. */
const MOST_BOXES = 100_000
const MOST_BEHIND = 16
/** Bytes of what is no picture behind the last one. */
const MOST_BETWEEN = 256 * 1024
const HEADER = 8
/**
 * Boxes that are written anew, tell of places in the file, hold what these tell of, or hold nothing: ISO/IEC 14496-12:2022 §4.3,
 * §8.1, §8.2, §8.8, §8.11, §8.16.
 */
const OTHERS: ReadonlySet<string> = new Set([
  ...['ftyp', 'styp', 'meta', 'mdat', 'imda', 'moov', 'moof', 'mfra', 'sidx', 'ssix', 'free', 'skip', 'wide'],
])

/**
 * What a camera stores of a photo beside its pictures, as the film of a moving one. Found from the start of the file on; where
 * boxes do not lead to its end from there, by those that do from a place near `picturesEnd`, behind the last of its pictures.
 */
export function boxesBeside(reader: ByteReader, picturesEnd: number): BoxesBeside {
  const { boxes, sound } = readChildren(reader, 0, reader.size, MOST_BOXES)
  const all = sound ? boxes : (boxesToEnd(reader, picturesEnd) ?? boxes)
  const beside = all.filter(({ type }) => !OTHERS.has(type))
  return {
    places: beside.filter((box) => !isCut(box)).map(({ offset, size }) => ({ offset, length: size })),
    cut: beside.some(isCut),
  }
}

/** The boxes that lead from the first place behind another from which any do to the very end of the file. */
function boxesToEnd(reader: ByteReader, from: number): readonly Box[] | undefined {
  const until = Math.min(reader.size - HEADER, from + MOST_BETWEEN)
  for (let at = from; at <= until; at++) {
    const size = reader.u32(at)
    const isLong = size === 1
    if (!isLong && (size < HEADER || at + size > reader.size)) continue
    const { boxes, sound } = readChildren(reader, at, reader.size, MOST_BEHIND)
    if (sound && boxes.length > 0) return boxes
  }
  return undefined
}
