import type { ByteReader } from '../../bytes/reader.ts'

/** Header of one box (QuickTime: atom), ISO/IEC 14496-12:2022 §4.2. Nothing of its body has been read. */
export interface Box {
  /** Four-character code. */
  readonly type: string
  /** File offset of the first byte of its header. */
  readonly offset: number
  /** Bytes of the header: 8, or 16 with a 64-bit size. */
  readonly header: number
  /** Size the header declares, header included; the bytes to the end of the parent for the form "size 0". */
  readonly size: number
  /** File offset past its last byte that lies in the parent. */
  readonly end: number
  /** How the size was written. */
  readonly form: '32' | '64' | 'to-end'
}

/** Boxes one parent may hold; the busiest real parent (a fragmented day) has some 200,000. */
const MAX_CHILDREN = 1_000_000

/** First byte of the body. */
export function bodyOf(box: Box): number {
  return box.offset + box.header
}

/** True when the declared size runs past the parent (or the file). */
export function isCut(box: Box): boolean {
  return box.offset + box.size > box.end
}

/** The box header at `offset`, or undefined where fewer than 8 bytes are left or the size is smaller than its header. */
export function readBox(reader: ByteReader, offset: number, limit: number): Box | undefined {
  const end = Math.min(limit, reader.size)
  if (offset < 0 || offset + 8 > end) return undefined
  const size = reader.u32(offset)
  const type = reader.fourcc(offset + 4)
  if (size === 1) {
    if (offset + 16 > end) return undefined
    const large = reader.u64(offset + 8)
    if (large < 16) return undefined
    return { type, offset, header: 16, size: large, end: Math.min(offset + large, end), form: '64' }
  }
  if (size === 0) return { type, offset, header: 8, size: end - offset, end, form: 'to-end' }
  if (size < 8) return undefined
  return { type, offset, header: 8, size, end: Math.min(offset + size, end), form: '32' }
}

/** What a walk over the children of a box saw. */
export interface Children {
  readonly boxes: readonly Box[]
  /** Where the walk ended: `end` when all bytes were boxes (or QuickTime's terminating zeros). */
  readonly stopped: number
  /** True when every header was sound and every box lay within its parent. */
  readonly sound: boolean
}

/**
 * Walks the boxes in [start, end). Stops at the first header that cannot be one; a box that runs past `end` is
 * clamped and ends the walk. QuickTime closes some lists with a 32-bit zero, which is no damage.
 * @param most boxes that are read
 */
export function readChildren(reader: ByteReader, start: number, end: number, most = MAX_CHILDREN): Children {
  const boxes: Box[] = []
  const limit = Math.min(end, reader.size)
  let offset = start
  while (offset + 8 <= limit && boxes.length < most) {
    const size = reader.u32(offset)
    if (size === 0) return { boxes, stopped: offset, sound: limit <= offset + 8 && end <= reader.size }
    const box = readBox(reader, offset, limit)
    if (!box || !isFourcc(box.type)) return { boxes, stopped: offset, sound: false }
    boxes.push(box)
    if (isCut(box)) return { boxes, stopped: box.end, sound: false }
    offset = box.end
  }
  return { boxes, stopped: offset, sound: end <= reader.size && limit - offset < 8 }
}

/** The first box of a type among `boxes`. */
export function childOf(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type)
}

/** A copy of a box's bytes, header included, as far as they lie in the file; empty past `limit` bytes. */
export function boxBytes(reader: ByteReader, box: Box, limit: number): Uint8Array {
  const length = box.end - box.offset
  if (length > limit) return new Uint8Array(0)
  return reader.bytes(box.offset, length).slice()
}

/** Version of a full box, ISO/IEC 14496-12:2022 §4.2.2; zero past its end. */
export function versionOf(reader: ByteReader, box: Box): number {
  return bodyOf(box) < box.end ? reader.u8(bodyOf(box)) : 0
}

/** Flags of a full box. */
export function flagsOf(reader: ByteReader, box: Box): number {
  return bodyOf(box) + 4 <= box.end ? reader.u24(bodyOf(box) + 1) : 0
}

/** True for the characters that occur in four-character codes: printable ASCII, © (QuickTime user data) and NUL-padded ones. */
export function isFourcc(type: string): boolean {
  for (let i = 0; i < 4; i++) {
    const code = type.charCodeAt(i)
    const printable = code >= 0x20 && code < 0x7f
    const copyright = i === 0 && code === 0xa9
    const padding = i > 0 && code === 0
    if (!printable && !copyright && !padding) return false
  }
  return true
}
