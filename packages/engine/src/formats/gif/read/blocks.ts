import { readGifLzw } from '../../../codecs/lzw/gif-lzw.ts'

export const EXTENSION = 0x21
export const IMAGE = 0x2c
export const TRAILER = 0x3b
export const CONTROL = 0xf9
export const APPLICATION = 0xff
export const PLAIN_TEXT = 0x01
const COMMENT = 0xfe
const DESCRIPTOR = 10
/** Zeros between blocks that some encoders leave. */
const STRAY_ZEROS = 16
/** More pixels than any stream has. */
const PLENTY = 1e12

/** Bytes of a sub-block. */
export interface Segment {
  readonly offset: number
  readonly length: number
}

/** A chain of sub-blocks, as far as it goes. */
export interface Chain {
  readonly segments: readonly Segment[]
  readonly end: number
  /** It came to its terminator. */
  readonly closed: boolean
}

/** An image descriptor with its own colours, GIF89a §20 and §21. */
export interface Descriptor {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly interlaced: boolean
  /** Bytes of a colour table of its own. */
  readonly table: number
  readonly codeSize: number
  /** Where the first sub-block begins. */
  readonly data: number
}

export function u16(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8)
}

/** Bytes of a colour table that flags tell of; 0 without one. */
export function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

export function readChain(bytes: Uint8Array, from: number): Chain {
  const segments: Segment[] = []
  let at = from
  while (at < bytes.length) {
    const length = bytes[at++]
    if (length === 0) return { segments, end: at, closed: true }
    segments.push({ offset: at, length: Math.min(length, bytes.length - at) })
    at += length
  }
  return { segments, end: bytes.length, closed: false }
}

/** Where a chain of sub-blocks leads, and how many there are. */
export function followChain(
  bytes: Uint8Array,
  from: number,
): { readonly count: number; readonly end: number; readonly closed: boolean } {
  let at = from
  let count = 0
  for (; at < bytes.length; count++) {
    const length = bytes[at++]
    if (length === 0) return { count, end: at, closed: true }
    at += length
  }
  return { count, end: bytes.length, closed: false }
}

export function streamOf(bytes: Uint8Array, segments: readonly Segment[]): Uint8Array {
  const stream = new Uint8Array(segments.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const { offset, length } of segments) {
    stream.set(bytes.subarray(offset, offset + length), at)
    at += length
  }
  return stream
}

/** Sizes of the first codes that GIF89a Appendix F has, and those that decoders take. */
const CODE_SIZES = { least: 2, most: 8 } as const
export const TAKEN_SIZES = { least: 1, most: 11 } as const

/** An image descriptor that can be one. */
export function readDescriptor(
  bytes: Uint8Array,
  at: number,
  { least, most }: { readonly least: number; readonly most: number } = CODE_SIZES,
): Descriptor | undefined {
  if (bytes[at] !== IMAGE || at + DESCRIPTOR >= bytes.length) return undefined
  const flags = bytes[at + 9]
  const table = tableBytes(flags)
  const codeSize = bytes[at + DESCRIPTOR + table] ?? 0
  const width = u16(bytes, at + 5)
  const height = u16(bytes, at + 7)
  if (codeSize < least || codeSize > most || width === 0 || height === 0 || flags & 0x18) return undefined
  const interlaced = (flags & 0x40) !== 0
  const place = { left: u16(bytes, at + 1), top: u16(bytes, at + 3), width, height }
  return { ...place, interlaced, table, codeSize, data: at + DESCRIPTOR + table + 1 }
}

/** Whether a block may begin here, or the file ends. */
export function introducerAt(bytes: Uint8Array, at: number): boolean {
  let place = at
  while (place < at + STRAY_ZEROS && bytes[place] === 0) place++
  if (place >= bytes.length) return true
  const byte = bytes[place]
  return byte === TRAILER || byte === IMAGE || byte === EXTENSION
}

/** Whether an extension of a known kind begins here whose fixed part agrees, GIF89a §23 to §26. */
export function extensionAt(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== EXTENSION) return false
  const size = bytes[at + 2]
  const label = bytes[at + 1]
  if (label === CONTROL) return size === 4 && bytes[at + 7] === 0
  if (label === APPLICATION) return size === 11
  if (label === PLAIN_TEXT) return size === 12
  return label === COMMENT
}

/** Columns and rows that pictures lie within, GIF89a §20. */
export interface Bounds {
  readonly width: number
  readonly height: number
}

/** Whether so much speaks for a block that one begins here though nothing in front of it leads to it. */
export function surelyAt(bytes: Uint8Array, at: number, bounds?: Bounds): boolean {
  const byte = bytes[at]
  if (byte === TRAILER) return at === bytes.length - 1 && bytes[at - 1] === 0
  if (byte === EXTENSION) {
    if (!extensionAt(bytes, at)) return false
    if (bytes[at + 1] === CONTROL)
      return (
        (bytes[at + 3] & 0xe0) === 0 && (imageAt(bytes, at + 8, bounds) || surelyControlledAt(bytes, at + 8))
      )
    return (
      bytes[at + 1] === APPLICATION &&
      bytes.subarray(at + 3, at + 14).every((each) => each >= 32 && each < 127)
    )
  }
  return byte === IMAGE && imageAt(bytes, at, bounds)
}

function surelyControlledAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === EXTENSION && bytes[at + 1] !== CONTROL && extensionAt(bytes, at)
}

/** Bytes of codes without a fault that are no accident: of foreign bytes half of the codes cannot be. */
const PROOF = 64

/**
 * An image that begins with the clear code and whose codes read on for a good while, or to their end where its sub-blocks end and
 * a block follows.
 */
function imageAt(bytes: Uint8Array, at: number, bounds: Bounds | undefined): boolean {
  const image = readDescriptor(bytes, at)
  if (!image) return false
  if (bounds && (image.left + image.width > bounds.width || image.top + image.height > bounds.height))
    return false
  const { stream, end, closed } = firstOf(bytes, image.data)
  const clear = 1 << image.codeSize
  if (((stream[0] | ((stream[1] ?? 0) << 8)) & (2 * clear - 1)) !== clear) return false
  const { fault, ended, pixels, bits, width } = readGifLzw(stream, image.codeSize, PLENTY)
  if (fault || !(ended || pixels > 0)) return false
  if (bits >= PROOF * 8) return true
  const isWhole = closed && Math.ceil((bits + width) / 8) >= stream.length
  return isWhole && introducerAt(bytes, end)
}

/** The first sub-blocks of an image, as many as it takes to prove it. */
function firstOf(bytes: Uint8Array, from: number) {
  const parts: Segment[] = []
  let at = from
  let length = 0
  while (length < PROOF && at + 1 < bytes.length && bytes[at] > 0) {
    const part = { offset: at + 1, length: Math.min(bytes[at], bytes.length - at - 1) }
    parts.push(part)
    length += part.length
    at = part.offset + part.length
  }
  return { stream: streamOf(bytes, parts), end: at + 1, closed: bytes[at] === 0 }
}

/** Where the next block begins for sure, its picture within `bounds` where they are known; the end where there is none. */
export function nextBlock(bytes: Uint8Array, from: number, bounds?: Bounds): number {
  for (let at = from; at < bytes.length; at++) if (surelyAt(bytes, at, bounds)) return at
  return bytes.length
}
