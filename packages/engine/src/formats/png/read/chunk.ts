import { crc32 } from '../../../bytes/crc32.ts'

/** PNG (Third Edition) §5.2. */
export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Length and type in front of a chunk's data, and the checksum behind it, §5.3. */
export const CHUNK_HEAD = 8
export const CHECKSUM = 4
export const LONGEST_CHUNK = 0x7fff_ffff

/** Types that the standard and its registered extensions name: those that encoders write. */
const NAMES = [
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'acTL', 'fcTL', 'fdAT', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB'],
  ...['cICP', 'mDCV', 'cLLI', 'tEXt', 'zTXt', 'iTXt', 'bKGD', 'hIST', 'pHYs', 'sPLT', 'eXIf', 'tIME', 'oFFs'],
  ...['pCAL', 'sCAL', 'sTER', 'gIFg', 'gIFx', 'iDOT', 'vpAg', 'orNT', 'caBX', 'caNv', 'zxIf'],
] as const

export const KNOWN_TYPES: ReadonlySet<string> = new Set(NAMES)
const BY_CODE: ReadonlyMap<number, string> = new Map(NAMES.map((name) => [codeOf(name), name]))
/** The checksum of each of them, which that of its data goes on from. */
const SUMS: ReadonlyMap<string, number> = new Map(NAMES.map((name) => [name, sumOf(name)]))

function codeOf(type: string): number {
  return (
    ((type.charCodeAt(0) << 24) |
      (type.charCodeAt(1) << 16) |
      (type.charCodeAt(2) << 8) |
      type.charCodeAt(3)) >>>
    0
  )
}

/** A chunk as it is, whatever its length and type fields say. */
export interface Chunk {
  /** The right type. */
  readonly type: string
  /** Where its length field stands. */
  readonly offset: number
  /** First byte of its data, and how many there are. */
  readonly body: number
  readonly length: number
  /** `missing`: the file ends before it. */
  readonly crc: 'right' | 'wrong' | 'missing'
  /** Fields that do not say what is right. */
  readonly typeHit: boolean
  readonly lengthHit: boolean
}

/** One past a chunk's last byte. */
export function chunkEnd({ body, length, crc }: Chunk): number {
  return body + length + (crc === 'missing' ? 0 : CHECKSUM)
}

/** The known type of which the four bytes at an offset differ in one bit; undefined where there is none. */
export function typeOneBitFrom(bytes: Uint8Array, at: number): string | undefined {
  const code = u32(bytes, at)
  return NAMES.find((type) => {
    const difference = (code ^ codeOf(type)) >>> 0
    return difference !== 0 && Number.isInteger(Math.log2(difference))
  })
}

export function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
}

export function typeAt(bytes: Uint8Array, at: number): string {
  const known = BY_CODE.get(u32(bytes, at))
  return known ?? String.fromCharCode(...bytes.subarray(at, at + 4))
}

/** Whether a known type stands at an offset. */
export function isKnownAt(bytes: Uint8Array, at: number): boolean {
  return BY_CODE.has(u32(bytes, at))
}

/** Four letters: any chunk's type, §5.4. */
export function isType(type: string): boolean {
  return /^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type)
}

/** A whole chunk as it is written. */
export function chunkBytes(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(CHUNK_HEAD + length + CHECKSUM)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, length)
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i)
  let at = CHUNK_HEAD
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  view.setUint32(at, crc32(bytes.subarray(4, at)))
  return bytes
}

/** The checksum of a type and the data behind it. */
export function chunkCrc(type: string, body: Uint8Array): number {
  return crc32(body, SUMS.get(type) ?? sumOf(type))
}

function sumOf(type: string): number {
  return crc32(Uint8Array.from(type, (character) => character.charCodeAt(0)))
}
