import type { ByteReader } from '../../bytes/reader.ts'

/** Size of an element that says it does not know it, RFC 8794 §6.2: it ends where one begins that cannot be its child. */
export const UNKNOWN_SIZE = -1

/** Bytes of the longest header: an identifier of four bytes and a size of eight. */
export const LONGEST_HEADER = 12

/** The header of one element, RFC 8794 §5 and §6. One object serves a whole walk. */
export class ElementHeader {
  /** With its marker bit, as the standards write it, e.g. 0x1a45dfa3. */
  id = 0
  offset = 0
  /** Offset of its first byte of data. */
  body = 0
  /** Bytes of data, or `UNKNOWN_SIZE`. */
  size = 0

  /** Offset behind its data; that of the data where the size is unknown. */
  get end(): number {
    return this.size === UNKNOWN_SIZE ? this.body : this.body + this.size
  }

  /** Reads the header at `at`, which lies in front of `limit` as a whole; false where none does. */
  read(reader: ByteReader, at: number, limit: number): boolean {
    const first = reader.u8(at)
    const idBytes = Math.clz32(first) - 23
    if (first === 0 || idBytes > 4 || at + idBytes >= limit) return false
    let id = first
    for (let i = 1; i < idBytes; i++) id = id * 256 + reader.u8(at + i)
    const sizeAt = at + idBytes
    const mark = reader.u8(sizeAt)
    const sizeBytes = Math.clz32(mark) - 23
    if (mark === 0 || sizeAt + sizeBytes > limit) return false
    let size = mark - (0x100 >> sizeBytes)
    let unknown = size === (0x80 >> (sizeBytes - 1)) - 1
    for (let i = 1; i < sizeBytes; i++) {
      const byte = reader.u8(sizeAt + i)
      unknown &&= byte === 0xff
      size = size * 256 + byte
    }
    if (!unknown && size > Number.MAX_SAFE_INTEGER) return false
    this.id = id
    this.offset = at
    this.body = sizeAt + sizeBytes
    this.size = unknown ? UNKNOWN_SIZE : size
    return true
  }
}

/** An element of known size that was read. */
export interface Element {
  readonly id: number
  readonly offset: number
  readonly body: number
  readonly end: number
}

/** The children that fill [from, end), as far as they fit each into the other; `whole` when they do so to the end. */
export function readChildren(
  reader: ByteReader,
  from: number,
  end: number,
  most: number,
): { readonly children: Element[]; readonly whole: boolean } {
  const children: Element[] = []
  const header = new ElementHeader()
  let at = from
  while (at < end && children.length < most) {
    if (!header.read(reader, at, end) || header.size === UNKNOWN_SIZE || header.end > end) break
    children.push({ id: header.id, offset: at, body: header.body, end: header.end })
    at = header.end
  }
  return { children, whole: at === end }
}

/** An unsigned integer, RFC 8794 §7.2; undefined where it is longer than eight bytes. An empty one is 0. */
export function readUnsigned(reader: ByteReader, { body, end }: Element): number | undefined {
  if (end - body > 8) return undefined
  let value = 0
  for (let at = body; at < end; at++) value = value * 256 + reader.u8(at)
  return value
}

/** A float, RFC 8794 §7.3; undefined where it has neither 0, 4 nor 8 bytes. */
export function readFloat(reader: ByteReader, { body, end }: Element): number | undefined {
  const bytes = reader.bytes(body, end - body)
  if (bytes.length === 0) return end === body ? 0 : undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length === 4) return view.getFloat32(0)
  return bytes.length === 8 ? view.getFloat64(0) : undefined
}

/**
 * A string of printable ASCII, RFC 8794 §7.4, up to its first zero; undefined where it is longer than `most` bytes or has others.
 */
export function readText(reader: ByteReader, { body, end }: Element, most = 256): string | undefined {
  if (end - body > most) return undefined
  let text = ''
  for (const byte of reader.bytes(body, end - body)) {
    if (byte === 0) break
    if (byte < 0x20 || byte > 0x7e) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}
