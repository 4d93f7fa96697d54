import type { ByteReader } from '../../bytes/reader.ts'
import { forbiddenSequence } from '../nal/start-code.ts'
import { IDR, SLICE } from './nal-types.ts'

/** A NAL unit that looks like the first slice of a picture, found without any parameter set. */
export interface LooseSlice {
  /** Offset of its header byte. */
  readonly offset: number
  readonly length: number
  /** slice_type modulo 5 and nal_unit_type, as the first bytes say. */
  readonly intra: boolean
  readonly idr: boolean
}

/** Slices smaller are too likely chance, larger are beyond every camera. */
const SHORTEST = 24
const LONGEST = 1 << 23
/** Key pictures are seldom smaller, not even black ones. */
const SHORTEST_IDR = 48
const PIECE = 1 << 18

/**
 * Finds slices behind lengths of four bytes in [from, end): units of slice types whose header starts as a picture's first slice
 * with the first picture parameter set does, without sequences that no NAL unit holds. One in some hundred thousand places
 * offers one by chance; those inside others are left out.
 */
export function looseSlices(reader: ByteReader, from: number, end: number, most: number): LooseSlice[] {
  const found: LooseSlice[] = []
  let skipTo = from
  for (let start = from; start < end && found.length < most; start += PIECE) {
    const bytes = reader.bytes(start, Math.min(PIECE, end - start) + 8).slice()
    const last = bytes.length - 9
    for (let i = Math.max(0, skipTo - start); i <= last && found.length < most; i++) {
      if (bytes[i] !== 0) continue
      const header = bytes[i + 4]
      const type = header & 31
      if (header > 127 || (type !== SLICE && type !== IDR)) continue
      const kind = sliceKind(bytes[i + 5], bytes[i + 6])
      if (kind < 0 || (type === IDR && (kind !== INTRA || header >> 5 === 0))) continue
      const length = ((bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3]) >>> 0
      const offset = start + i + 4
      if (length < (type === IDR ? SHORTEST_IDR : SHORTEST) || length > LONGEST || offset + length > end)
        continue
      if (!isWhole(reader, offset, length)) continue
      found.push({ offset, length, intra: kind === INTRA, idr: type === IDR })
      skipTo = offset + length
      i = skipTo - start - 1
    }
  }
  return found
}

const INTRA = 2

/** slice_type modulo 5 of a header that starts with macroblock 0 and picture parameter set 0; -1 when it does not. */
function sliceKind(first: number, second: number): number {
  if (first < 128) return -1
  if ((first & 0xe0) === 0xe0) return 0
  if ((first & 0xf8) === 0xa8) return 1
  if ((first & 0xf8) === 0xb8) return INTRA
  if ((first & 0xfe) === 0x9a) return 0
  if ((first & 0xfe) === 0x9e) return 1
  return first === 0x88 && second > 127 ? INTRA : -1
}

/** Zero bytes some phones fill slices up with. */
const PADDING = 64

/** Ends like a NAL unit, and nothing in it is impossible. */
function isWhole(reader: ByteReader, offset: number, length: number): boolean {
  let end = offset + length
  for (let i = 0; i < PADDING && reader.u8(end - 1) === 0; i++) end--
  return reader.u8(end - 1) !== 0 && forbiddenSequence(reader, offset, end - 1) >= end - 1
}
