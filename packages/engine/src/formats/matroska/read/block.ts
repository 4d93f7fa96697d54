import type { ByteReader } from '../../../bytes/reader.ts'
import { ElementHeader, UNKNOWN_SIZE } from '../../../syntax/ebml/element.ts'
import {
  BLOCK,
  BLOCK_ADDITIONS,
  BLOCK_DURATION,
  BLOCK_GROUP,
  CRC_32,
  REFERENCE_BLOCK,
  SIMPLE_BLOCK,
  VOID,
} from '../ids.ts'

/** Flags of a block's head, RFC 9559 §10.1 and §10.2; the first one is a SimpleBlock's that a decoder can start at. */
export const KEY_FLAG = 0x80
const RESERVED_FLAGS = 0x70
const LACING = 0x06
export const XIPH_LACING = 0x02
export const FIXED_LACING = 0x04
export const EBML_LACING = 0x06
/** Children of a BlockGroup, RFC 9559 §5.1.3.5: those above, virtual block, priority, codec state, padding, slices, old ones. */
const GROUP_CHILDREN: ReadonlySet<number> = new Set([
  ...[BLOCK, BLOCK_ADDITIONS, BLOCK_DURATION, REFERENCE_BLOCK, VOID, CRC_32],
  ...[0xa2, 0xfa, 0xfd, 0xa4, 0x75a2, 0x8e, 0xc8],
])
const MOST_GROUP_CHILDREN = 64

/** What one SimpleBlock or BlockGroup says, RFC 9559 §5.1.3.4 and §10. One object serves a whole walk. */
export class BlockHead {
  offset = 0
  /** Offset behind the whole element, by its size. */
  elementEnd = 0
  track = 0
  relative = 0
  /** Offset of the byte of flags. */
  flagsAt = 0
  flags = 0
  payload = 0
  end = 0
  grouped = false
  key = false
  /** Behind a group's Block another child begins, so that what is missing or put in lies behind the Block. */
  followed = false
  /** The group has BlockAdditions, of which what is shown may consist, too. */
  added = false
  /** In ticks of the TimestampScale, -1 where there is none. */
  duration = -1
  readonly #element = new ElementHeader()
  readonly #child = new ElementHeader()

  /** Reads the block at `at`; false where the bytes are none. Its data may reach past `limit`, its heads must not. */
  read(reader: ByteReader, at: number, limit: number): boolean {
    const element = this.#element
    if (!element.read(reader, at, limit) || element.size === UNKNOWN_SIZE) return false
    this.offset = at
    this.elementEnd = element.end
    this.duration = -1
    this.followed = false
    this.added = false
    if (element.id === SIMPLE_BLOCK) {
      this.grouped = false
      if (!this.#readHead(reader, element.body, Math.min(element.end, limit))) return false
      this.end = element.end
      this.key = (this.flags & KEY_FLAG) !== 0
      return true
    }
    return element.id === BLOCK_GROUP && this.#readGroup(reader, element, limit)
  }

  #readGroup(reader: ByteReader, element: ElementHeader, limit: number): boolean {
    const child = this.#child
    this.grouped = true
    this.key = true
    let found = false
    let at = element.body
    for (let count = 0; at < element.end && count < MOST_GROUP_CHILDREN; count++) {
      // what a cut left of the group is judged by its first children
      if (at >= limit && found) {
        // a reference may have been cut off
        this.key = false
        return true
      }
      if (!child.read(reader, at, limit) || child.size === UNKNOWN_SIZE || child.end > element.end)
        return false
      if (!GROUP_CHILDREN.has(child.id)) return false
      this.followed = found
      if (child.id === BLOCK_ADDITIONS) this.added = true
      if (child.id === BLOCK) {
        if (found || !this.#readHead(reader, child.body, Math.min(child.end, limit))) return false
        found = true
        this.end = child.end
      }
      if (child.id === REFERENCE_BLOCK) this.key = false
      if (child.id === BLOCK_DURATION && child.size <= 8) {
        this.duration = 0
        for (let i = child.body; i < child.end; i++) this.duration = this.duration * 256 + reader.u8(i)
      }
      at = child.end
    }
    return found && at === element.end
  }

  #readHead(reader: ByteReader, at: number, end: number): boolean {
    const first = reader.u8(at)
    if (first === 0) return false
    const numberBytes = Math.clz32(first) - 23
    if (numberBytes > 2 || at + numberBytes + 3 > end) return false
    this.track = numberBytes === 1 ? first & 0x7f : ((first & 0x3f) << 8) | reader.u8(at + 1)
    this.relative = (reader.u16(at + numberBytes) << 16) >> 16
    this.flagsAt = at + numberBytes + 2
    this.flags = reader.u8(this.flagsAt)
    this.payload = this.flagsAt + 1
    return this.track > 0 && (this.flags & RESERVED_FLAGS) === 0
  }
}

/** The lacing of a block by its flags: 0 for none. */
export function lacingOf(flags: number): number {
  return flags & LACING
}

/**
 * The frames of a block in [payload, end) as offsets of their first bytes, and `end` behind them, RFC 9559 §10.3; undefined where
 * the lace does not fit.
 */
export function framesOf(
  reader: ByteReader,
  flags: number,
  payload: number,
  end: number,
): number[] | undefined {
  if (lacingOf(flags) === 0) return [payload, end]
  const lace = readLace(reader, flags, payload, end, end)
  if (!lace) return undefined
  const frames = [lace.at]
  for (const size of lace.sizes) frames.push((frames.at(-1) ?? 0) + size)
  return frames
}

/** How many frames a block in [payload, end) has; undefined where the lace does not fit. */
export function frameCount(
  reader: ByteReader,
  flags: number,
  payload: number,
  end: number,
): number | undefined {
  return lacingOf(flags) === 0 ? 1 : readLace(reader, flags, payload, end, end)?.sizes.length
}

/**
 * Where the first frame of a laced block in [payload, end) begins, and the bytes of each; undefined where the lace does not fit.
 * Of the block's bytes those in front of `limit` are there.
 */
export function readLace(
  reader: ByteReader,
  flags: number,
  payload: number,
  end: number,
  limit: number,
): { readonly at: number; readonly sizes: readonly number[] } | undefined {
  if (payload >= limit) return undefined
  const lacing = lacingOf(flags)
  const count = reader.u8(payload) + 1
  let at = payload + 1
  const sizes: number[] = []
  if (lacing === FIXED_LACING) {
    if ((end - at) % count !== 0) return undefined
    for (let i = 1; i < count; i++) sizes.push((end - at) / count)
  } else if (lacing === XIPH_LACING) {
    for (let i = 1; i < count; i++) {
      let size = 0
      let byte = 255
      while (byte === 255 && at < limit) {
        byte = reader.u8(at++)
        size += byte
      }
      sizes.push(size)
    }
  } else {
    // each size takes a byte at least
    if (count - 1 > limit - at) return undefined
    const number = { value: 0, bytes: 0 }
    for (let i = 1; i < count; i++) {
      if (!readNumber(reader, at, limit, number)) return undefined
      at += number.bytes
      const half = 2 ** (7 * number.bytes - 1) - 1
      sizes.push(i === 1 ? number.value : sizes[i - 2] + number.value - half)
    }
  }
  let last = end - at
  for (const size of sizes) {
    if (size < 0) return undefined
    last -= size
  }
  sizes.push(last)
  return last >= 0 ? { at, sizes } : undefined
}

function readNumber(
  reader: ByteReader,
  at: number,
  end: number,
  into: { value: number; bytes: number },
): boolean {
  const first = reader.u8(at)
  const bytes = Math.clz32(first) - 23
  if (first === 0 || bytes > 4 || at + bytes > end) return false
  let value = first - (0x100 >> bytes)
  for (let i = 1; i < bytes; i++) value = value * 256 + reader.u8(at + i)
  into.value = value
  into.bytes = bytes
  return true
}
