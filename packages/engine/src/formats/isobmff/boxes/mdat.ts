import type { ByteReader } from '../../../bytes/reader.ts'

/** Largest box whose size fits 32 bits. */
const MAX_32 = 0xffff_ffff

/** Bytes of the header of a media data box, ISO/IEC 14496-12:2022 §8.1.1, for a payload of `bytes`. */
export function mediaDataHeaderSize(bytes: number): number {
  return bytes + 8 > MAX_32 ? 16 : 8
}

/** That header; the 64-bit form where the size needs it. */
export function mediaDataHeader(bytes: number): Uint8Array {
  const size = mediaDataHeaderSize(bytes)
  const header = new Uint8Array(size)
  const view = new DataView(header.buffer)
  view.setUint32(4, 0x6d646174)
  if (size === 8) view.setUint32(0, bytes + 8)
  else {
    view.setUint32(0, 1)
    view.setBigUint64(8, BigInt(bytes + 16))
  }
  return header
}

/** True behind the header of a media data box: what lies there was the first that the recording wrote. */
export function followsMediaHeader(reader: ByteReader, offset: number): boolean {
  if (offset >= 8 && reader.fourcc(offset - 4) === 'mdat') return true
  return offset >= 16 && reader.fourcc(offset - 12) === 'mdat' && reader.u32(offset - 16) === 1
}

/**
 * Where the media begin whose header stands at `offset`, with the space in front of it that QuickTime keeps for a longer one;
 * `offset` without one. QuickTime File Format, "Wide (wide)".
 */
export function mediaBehind(reader: ByteReader, offset: number): number {
  const isWide = reader.fourcc(offset + 4) === 'wide' && reader.u32(offset) === 8
  const at = isWide ? offset + 8 : offset
  if (reader.fourcc(at + 4) !== 'mdat') return offset
  return at + (reader.u32(at) === 1 ? 16 : 8)
}
