import { BitReader } from '../../bytes/bit-reader.ts'
import { NOT_VALID, TOO_SHORT } from '../growing-window.ts'
import { readPictureData } from './picture-data.ts'
import { type PictureHeader, readPictureHeader } from './picture-header.ts'

/** What was read of one picture. */
export interface Measured {
  header: PictureHeader | undefined
  /** Bytes of the picture; negative when its macroblocks could not be read to the end. */
  bytes: number
}

/** Reads one picture at the start of `bytes`. `TOO_SHORT` asks for more bytes; else the answer is in `into`. */
export function measurePicture(bytes: Uint8Array, into: Measured): number {
  const bits = new BitReader(bytes)
  into.bytes = NOT_VALID
  into.header = readPictureHeader(bits)
  if (!into.header) return bits.overrun ? TOO_SHORT : NOT_VALID
  if (into.header.opaque) return NOT_VALID
  const read = readPictureData(bits, into.header)
  if (bits.overrun) return TOO_SHORT
  if (!read) return NOT_VALID
  into.bytes = Math.ceil(bits.position / 8)
  return into.bytes
}
