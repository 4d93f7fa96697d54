import { keyFields } from '../../../codecs/vp8/key-frame.ts'
import { losslessFields } from '../../../codecs/vp8l/check-image.ts'

/** Bytes of a chunk's type and size, RFC 9649 §2.3. */
export const CHUNK_HEADER = 8
/** `RIFF`, the size of what follows, `WEBP`, §2.4. */
export const FILE_HEADER = 12
/** Fields of a frame of an animation in front of its own chunks, §2.7.1.1. */
export const FRAME_HEADER = 16
export const FEATURES_BYTES = 10
export const ANIMATION_BYTES = 6
/** The flag of the features chunk that says that pictures are transparent, §2.7. */
export const TRANSPARENT = 0x10
/** Reserved bits of the features chunk, §2.7. */
const RESERVED = 0xc1
const PROFILE_MARK = 36

/** Types of chunks that the container defines, §2.5 to §2.7. */
export const TYPES = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP '] as const
export type ChunkType = (typeof TYPES)[number]
/** First characters of types: a text for each byte of a file would take most of the time. */
const FIRSTS: ReadonlySet<number> = new Set(TYPES.map((type) => type.charCodeAt(0)))

export function u24(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)
}

export function u32(bytes: Uint8Array, at: number): number {
  return u24(bytes, at) + bytes[at + 3] * 2 ** 24
}

/** Four characters, or those that are left. */
export function text(bytes: Uint8Array, at: number): string {
  if (at + 4 > bytes.length) return String.fromCharCode(...bytes.subarray(at))
  return String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
}

/** A chunk's end with the byte that makes its size even. */
export function paddedEnd(body: number, size: number): number {
  return body + size + (size & 1)
}

export function isKnown(type: string): type is ChunkType {
  return TYPES.some((each) => each === type)
}

/** Whether four characters may be a chunk's type that the container does not define. */
export function isPrintable(type: string): boolean {
  return /^[\x20-\x7e]{4}$/.test(type)
}

/** Whether what a chunk of a type begins with is there: few other bytes begin so. */
export function bodyTells(bytes: Uint8Array, type: ChunkType, at: number): boolean {
  const body = at + CHUNK_HEADER
  const size = u32(bytes, at + 4)
  switch (type) {
    case 'VP8 ':
      return keyFields(bytes.subarray(body)) !== undefined
    case 'VP8L':
      return losslessFields(bytes.subarray(body)) !== undefined
    case 'VP8X':
      return size === FEATURES_BYTES && (bytes[body] & RESERVED) === 0 && u24(bytes, body + 1) === 0
    case 'ANIM':
      return size === ANIMATION_BYTES
    case 'ANMF':
      return isKnown(text(bytes, body + FRAME_HEADER)) && (bytes[body + FRAME_HEADER - 1] & 0xfc) === 0
    case 'ALPH':
      return (bytes[body] & 0xc0) === 0 && (bytes[body] & 3) <= 1
    case 'ICCP':
      return text(bytes, body + PROFILE_MARK) === 'acsp'
    case 'EXIF':
      return ['Exif', 'II*\0', 'MM\0*'].includes(text(bytes, body))
    case 'XMP ':
      return bytes[body] === 0x3c
  }
}

/** How many bits are set. */
export function bitsOf(value: number): number {
  let bits = 0
  for (let rest = value; rest !== 0; rest >>>= 1) bits += rest & 1
  return bits
}

/** Bits in which the four characters at an offset differ from a type. */
function distance(bytes: Uint8Array, at: number, type: string): number {
  let bits = 0
  for (let i = 0; i < type.length; i++) bits += bitsOf(bytes[at + i] ^ type.charCodeAt(i))
  return bits
}

/** Bits of a type that may be hit where the body goes with it, and where its size does. */
const MOST_HIT = 2
/** Types whose bodies tell so much that none of the four characters need be there. */
const TELLING: readonly ChunkType[] = ['VP8 ', 'ANMF', 'ICCP', 'VP8X']

/** The type of a chunk that begins here though its own characters were hit; undefined where nothing tells. */
export function typeMeant(bytes: Uint8Array, at: number): ChunkType | undefined {
  const near = TYPES.find((type) => distance(bytes, at, type) <= MOST_HIT && bodyTells(bytes, type, at))
  return (
    near ??
    TELLING.find((type) => bodyTells(bytes, type, at)) ??
    (isControlAt(bytes, at) ? 'ANIM' : undefined)
  )
}

/** Bytes of the chunk that tells how an animation is shown, which stands in front of its first frame, §2.7.1.1. */
export const CONTROL_BYTES = CHUNK_HEADER + ANIMATION_BYTES

function isControlAt(bytes: Uint8Array, at: number): boolean {
  const next = at + CONTROL_BYTES
  return bodyTells(bytes, 'ANIM', at) && text(bytes, next) === 'ANMF' && bodyTells(bytes, 'ANMF', next)
}

/** Whether a chunk begins here: of a known type with a body that goes with it. */
export function surelyAt(bytes: Uint8Array, at: number): boolean {
  const type = text(bytes, at)
  return isKnown(type) && bodyTells(bytes, type, at)
}

/** Types that a frame of an animation holds. */
const OF_FRAMES: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L'])

/** Where the next chunk begins for sure, `behindFrame`: one that no frame of an animation holds; `to` where there is none. */
export function nextChunk(bytes: Uint8Array, from: number, to: number, behindFrame = false): number {
  for (let at = from; at + CHUNK_HEADER < to; at++)
    if (FIRSTS.has(bytes[at]) && surelyAt(bytes, at) && !(behindFrame && OF_FRAMES.has(text(bytes, at))))
      return at
  return to
}
