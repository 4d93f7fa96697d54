import { introducerAt, nextBlock, tableBytes, u16 } from './blocks.ts'

/** Signature and logical screen descriptor, GIF89a §17 and §18. */
export const HEAD = 13
export const SCREEN = 7
/** Where the colours begin in a whole file, behind a signature that was cut away, and behind a head that was. */
const CUTS = [HEAD, SCREEN, 0]
const SIGNATURE = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]

/** What stands in front of the first block. */
export interface Head {
  /** Undefined where it is gone. */
  readonly screen:
    | { readonly width: number; readonly height: number; readonly background: number }
    | undefined
  readonly signature: boolean
  /** Where the colours stand and how many bytes they are; undefined where they are gone, length 0 where there are none. */
  readonly table: { readonly offset: number; readonly length: number } | undefined
  /** The colours that its flags tell of are there, and all black. */
  readonly dark?: boolean
  /** The flags byte is as it was. */
  readonly flags: boolean
  /** Where the first block begins. */
  readonly blocks: number
}

/** Bytes of the signature that are as they should be; its version may be 87a. */
export function signatureBytes(bytes: Uint8Array): number {
  return SIGNATURE.filter((byte, i) => bytes[i] === byte || (i === 4 && bytes[i] === 0x37)).length
}

/** Reads the head, or finds the first block and tells from its place what is left in front of it. */
export function readHead(bytes: Uint8Array): Head {
  const signature = signatureBytes(bytes) === SIGNATURE.length
  const told = tableBytes(bytes[10] ?? 0)
  const first = HEAD + told
  const agrees =
    first < bytes.length &&
    introducerAt(bytes, first) &&
    bytes[first] !== 0 &&
    (signature || nextBlock(bytes, first) === first)
  const width = u16(bytes, 6)
  const height = u16(bytes, 8)
  const background = bytes[11]
  if (agrees && width > 0 && height > 0) {
    const isDark = dark(bytes, HEAD, told)
    const table = isDark ? undefined : { offset: HEAD, length: told }
    return {
      screen: { width, height, background },
      signature,
      table,
      dark: isDark,
      flags: true,
      blocks: first,
    }
  }
  const blocks = agrees ? first : nextBlock(bytes, 0)
  const from = CUTS.find((at) => isTable(blocks - at) && !dark(bytes, at, blocks - at))
  const table = from === undefined ? undefined : { offset: from, length: blocks - from }
  // a screen of which only the signature in front is gone, as the size of the colours behind it proves
  if (from !== undefined && from >= SCREEN && tableBytes(bytes[from - 3]) === blocks - from) {
    const size = {
      width: u16(bytes, from - SCREEN),
      height: u16(bytes, from - 5),
      background: bytes[from - 2],
    }
    if (size.width > 0 && size.height > 0) return { screen: size, signature, table, flags: true, blocks }
  }
  const screen = signature && width > 0 && height > 0 ? { width, height, background } : undefined
  return {
    screen,
    signature,
    table: blocks === HEAD ? { offset: HEAD, length: 0 } : table,
    flags: agrees,
    blocks,
  }
}

function isTable(length: number): boolean {
  return length >= 6 && length % 3 === 0 && length / 3 <= 256 && Number.isInteger(Math.log2(length / 3))
}

/** Whether a table is nothing but zeros: no picture has one. */
function dark(bytes: Uint8Array, offset: number, length: number): boolean {
  return length > 0 && bytes.subarray(offset, offset + length).every((byte) => byte === 0)
}

/** A head for a screen with so many bytes of colours. */
export function headBytes(
  width: number,
  height: number,
  background: number,
  table: number,
  version: number,
): Uint8Array {
  const flags = table > 0 ? 0xf0 | (Math.log2(table / 3) - 1) : 0x70
  const size = [width & 0xff, width >> 8, height & 0xff, height >> 8]
  return Uint8Array.from([...SIGNATURE.slice(0, 4), version, SIGNATURE[5], ...size, flags, background, 0])
}
