import type { ByteReader } from '../../../bytes/reader.ts'
import type { ItemState } from './nal-items.ts'

/** obu_type, AV1 specification §6.2.2: of a frame whole, and of its header alone. */
const FRAMES: readonly number[] = [3, 6]
/** Those that hold coded pixels: a group of tiles, and a frame whole. */
const CODED: readonly number[] = [4, 6]
/** Zeros among coded pixels that are a hole: sixteen in a row are the most that encoders were seen to write. */
const HOLE = 64
/** Bytes looked at together: what a size claims is no reason to hold it all. */
const PIECE = 1 << 16
/** obu_forbidden_bit, and obu_reserved_1bit: §5.3.2. */
const NEVER = 0x81
const HAS_EXTENSION = 0x04
const HAS_SIZE = 0x02
/** Bytes that hold a size, §4.10.5. */
const MOST_SIZE_BYTES = 8
/** OBUs of a picture: layers and groups of tiles. */
const MOST_OBUS = 4_096

/**
 * Holds a coded AV1 picture against its bytes: OBUs that lead from one to the next up to its end, and a frame among them without
 * a hole.
 */
export function checkAv1Item(reader: ByteReader, offset: number, length: number): ItemState {
  const end = offset + length
  if (end > reader.size) return 'cut'
  let frames = 0
  let hollow = false
  let at = offset
  for (let count = 0; at < end; count++) {
    const header = reader.u8(at)
    if (header & NEVER || count === MOST_OBUS) return 'broken'
    const type = (header >> 3) & 15
    if (FRAMES.includes(type)) frames++
    const start = at
    at += header & HAS_EXTENSION ? 2 : 1
    // the last one may go on to the end without a size
    if ((header & HAS_SIZE) === 0) at = end
    else {
      const size = sizeAt(reader, at, end)
      if (!size) return 'broken'
      at += size.bytes + size.value
    }
    hollow ||= CODED.includes(type) && at <= end && hasHole(reader, start, at)
  }
  if (at !== end || frames === 0) return 'broken'
  return hollow ? 'hollow' : 'whole'
}

/** Whether zeros stand in a row between two places, and something behind them. */
function hasHole(reader: ByteReader, start: number, end: number): boolean {
  let run = 0
  for (let at = start; at < end; at += PIECE) {
    for (const byte of reader.bytes(at, Math.min(PIECE, end - at))) {
      if (byte !== 0 && run >= HOLE) return true
      run = byte === 0 ? run + 1 : 0
    }
  }
  return false
}

/** A number of seven bits a byte, lowest first. */
function sizeAt(reader: ByteReader, at: number, end: number): { value: number; bytes: number } | undefined {
  let value = 0
  for (let i = 0; i < MOST_SIZE_BYTES && at + i < end; i++) {
    const byte = reader.u8(at + i)
    value += (byte & 0x7f) * 128 ** i
    if (byte < 0x80) return { value, bytes: i + 1 }
  }
  return undefined
}
