import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import { LEADS_TO_ANCHOR } from './evidence.ts'
import type { Lane } from './lane.ts'
import type { PlacedPiece } from './placed-piece.ts'

/** Zero bytes beside a hole that are more likely damage than silence: a device's block. */
export const ZEROED = 512
/** Blocks counted from each end of a gap: some seconds of sound. */
const MOST_BLOCKS = 1 << 15

/**
 * Finds sound in blocks of one size at the start and at the end of a gap that also holds other, unknown bytes, as far as each
 * block goes on where the one before it ends. Undefined when nothing in the lane's blocks tells that.
 */
export function blocksInGap(
  reader: ByteReader,
  { index, description }: Pick<Lane, 'index' | 'description'>,
  at: number,
  until: number,
): PlacedPiece[] | undefined {
  const recogniser = codecNamed(description.codec)?.recogniser(description)
  const { blockAlign } = description
  if (!recogniser || blockAlign === undefined) return undefined
  const goesOn = linked(reader, recogniser, blockAlign)
  const room = Math.min(MOST_BLOCKS, Math.floor((until - at) / blockAlign))
  const isSilent = (offset: number): boolean => isZero(reader, offset, offset + blockAlign)
  const head = sounding(
    run(room, (block) => goesOn(at + block * blockAlign)),
    blockAlign,
    (block) => isSilent(at + block * blockAlign),
  )
  const tail = sounding(
    run(room - head, (block) => goesOn(until - (block + 2) * blockAlign)),
    blockAlign,
    (block) => isSilent(until - (block + 1) * blockAlign),
  )
  const pieces: PlacedPiece[] = []
  if (head > 0) pieces.push({ lane: index, offset: at, length: head * blockAlign })
  if (tail > 0) pieces.push({ lane: index, offset: until - tail * blockAlign, length: tail * blockAlign })
  return pieces
}

/** Whether a block stands at an offset, and another that goes on where it ends behind it. */
function linked(reader: ByteReader, recogniser: Recogniser, bytes: number): (offset: number) => boolean {
  const unit = new Unit()
  return (offset) =>
    recogniser.recognise(reader, offset, offset + 2 * bytes, unit) &&
    unit.length === bytes &&
    unit.evidence >= LEADS_TO_ANCHOR
}

/**
 * Blocks from an end on of which each is linked to the next, one that is not between others that are allowed; 0 where none are.
 */
function run(room: number, isLinked: (block: number) => boolean): number {
  let blocks = 0
  while (blocks + 1 < room) {
    if (isLinked(blocks)) blocks++
    else if (blocks > 0 && blocks + 3 < room && isLinked(blocks + 1) && isLinked(blocks + 2)) blocks += 2
    else break
  }
  return blocks === 0 ? 0 : blocks + 1
}

/** So many blocks without those at the inner end that are silent because they are zeroed. */
function sounding(blocks: number, bytes: number, isSilent: (block: number) => boolean): number {
  let left = blocks
  while (left > 0 && isSilent(left - 1)) left--
  return (blocks - left) * bytes < ZEROED ? blocks : left
}
