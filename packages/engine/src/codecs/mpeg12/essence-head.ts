import type { ByteReader } from '../../bytes/reader.ts'

/** Key of 16 bytes, and a length in long form with three bytes of value, SMPTE ST 336:2017 §6.3. */
const HEAD = 20
const THREE_BYTES = 0x83
/** The first twelve bytes of the keys of essence elements, SMPTE ST 379-1:2009 Table 3. */
const ELEMENT = [0x060e2b34, 0x01020101, 0x0d010301] as const
/** A picture element of a content package, and that it is one of type D-10: bytes 13 and 15 of the key, SMPTE ST 386:2004 §5. */
const PICTURE_ITEM = 0x05
const D10_PICTURE = 0x01
/** Key of a fill item without the version in its eighth byte, SMPTE ST 377-1:2019 §6.3.3. */
const FILL = [0x060e2b34, 0x010101, 0x03010210, 0x01000000] as const

/**
 * Bytes of the key and length that stand in front of a frame: writers of IMX in QuickTime keep those that the frame has in MXF. 0
 * where none do.
 */
export function essenceHead(reader: ByteReader, at: number): number {
  if (at < 0 || !ELEMENT.every((word, i) => reader.u32(at + 4 * i) === word)) return 0
  const isPicture = reader.u8(at + 12) === PICTURE_ITEM && reader.u8(at + 14) === D10_PICTURE
  return isPicture && reader.u8(at + 16) === THREE_BYTES ? HEAD : 0
}

/** Where what begins at `at` begins with such bytes: in front of it, `from` at the earliest. */
export function withEssenceHead(reader: ByteReader, from: number, at: number): number {
  return at - HEAD >= from && essenceHead(reader, at - HEAD) > 0 ? at - HEAD : at
}

/** The end of the fill item at `at`, which gives all frames one size; `at` where none stands there or it ends behind `end`. */
export function fillEnd(reader: ByteReader, at: number, end: number): number {
  const isFill =
    reader.u32(at) === FILL[0] &&
    reader.u24(at + 4) === FILL[1] &&
    reader.u32(at + 8) === FILL[2] &&
    reader.u32(at + 12) === FILL[3] &&
    reader.u8(at + 16) === THREE_BYTES
  const stop = at + HEAD + reader.u24(at + 17)
  return isFill && stop <= end ? stop : at
}
