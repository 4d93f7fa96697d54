import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'

/**
 * `whole`: its units fill it and hold nothing that cannot be. `cut`: the file ends within it. `broken`: they do not. `hollow`:
 * they fill it, with a hole among their pixels, or with pixels that were hit.
 */
export type ItemState = 'whole' | 'cut' | 'broken' | 'hollow'

/** Bytes of a NAL unit's length in front of it; every camera writes four. */
const LENGTH = 4
/** Types of pictures that need no other, and of what goes with them: ITU-T H.265 (2021) Table 7-1. */
const isIntra = (type: number): boolean => type >= 16 && type <= 21
const isBeside = (type: number): boolean => type >= 32 && type <= 40

/** The type of the NAL unit whose header stands at an offset, H.265 §7.3.1.2; -1 where none can. */
export function nalTypeAt(reader: ByteReader, offset: number): number {
  const first = reader.u8(offset)
  const second = reader.u8(offset + 1)
  if (first & 0x81 || second >> 3 || (second & 7) === 0) return -1
  const type = first >> 1
  return isIntra(type) || isBeside(type) ? type : -1
}

export function isPictureType(type: number): boolean {
  return isIntra(type)
}

/** Holds a coded HEVC picture against its bytes: NAL units behind their lengths, without the bytes that no NAL unit may hold. */
export function checkHevcItem(reader: ByteReader, offset: number, length: number): ItemState {
  if (offset + length > reader.size) return 'cut'
  let pictures = 0
  for (let at = offset; at < offset + length; ) {
    const size = reader.u32(at)
    const type = nalTypeAt(reader, at + LENGTH)
    if (size < 2 || type < 0 || at + LENGTH + size > offset + length) return 'broken'
    if (isIntra(type)) pictures++
    if (hasForbiddenBytes(reader, at + LENGTH, at + LENGTH + size)) return 'broken'
    at += LENGTH + size
  }
  return pictures > 0 ? 'whole' : 'broken'
}

/** How the first slice of an HEVC picture begins, H.265 §7.3.6.1: alike for pictures that an encoder makes in the same way. */
export function sliceStart(reader: ByteReader, { offset, length }: Region): string | undefined {
  // many items may lie in one place, and end beyond the file
  const end = Math.min(offset + length, reader.size)
  let at = offset
  for (let unit = 0; unit < MOST_BESIDE && at + LENGTH + 4 <= end; unit++) {
    if (isPictureType(nalTypeAt(reader, at + LENGTH))) return `${reader.u16(at + LENGTH + 2)}`
    at += LENGTH + reader.u32(at)
  }
  return undefined
}

/** NAL units in front of a picture's first slice at most: parameter sets and messages, most of which stand in its record. */
const MOST_BESIDE = 256

/** Whether bytes hold 00 00 00, 00 00 01 or 00 00 02, which emulation prevention keeps out of every NAL unit: H.265 §7.4.2. */
function hasForbiddenBytes(reader: ByteReader, start: number, until: number): boolean {
  // zeros at the very end are padding behind the unit
  let end = until
  while (end > start && reader.u8(end - 1) === 0) end--
  for (let at = start; at + 2 < end; at += PIECE) {
    const bytes = reader.bytes(at, Math.min(PIECE + 2, end - at))
    for (let i = 2; i < bytes.length; i++) {
      if (bytes[i] > 2) i += 2
      else if (bytes[i - 1] === 0 && bytes[i - 2] === 0) return true
    }
  }
  return false
}

/** Bytes looked at together: what a length claims is no reason to hold it all. */
const PIECE = 1 << 16
