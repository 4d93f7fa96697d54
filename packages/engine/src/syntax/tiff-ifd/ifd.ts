import type { TiffNumbers } from './numbers.ts'
import { TYPE, typeBytes } from './tags.ts'

/** One field of an image file directory. */
export interface IfdEntry {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** Where the field stands. */
  readonly at: number
  /** Where its values lie: in the field itself, or where it points to. */
  readonly valueAt: number
  /** Bytes of its values. */
  readonly bytes: number
  /** The values lie in the field itself. */
  readonly inline: boolean
}

/** An image file directory, TIFF 6.0 §2. */
export interface Ifd {
  readonly offset: number
  /** Where it ends, the pointer to the next one included. */
  readonly end: number
  readonly next: number
  /** Where that pointer stands. */
  readonly nextAt: number
  readonly entries: ReadonlyMap<number, IfdEntry>
}

/** Fields of one directory: the most that any writer is known to use is about 150. */
export const MOST_ENTRIES = 1024

interface Layout {
  readonly count: number
  readonly entry: number
  readonly pointer: number
}

export function ifdLayout(big: boolean): Layout {
  return big ? { count: 8, entry: 20, pointer: 8 } : { count: 2, entry: 12, pointer: 4 }
}

/**
 * The directory at an offset; undefined where none can be: no fields or too many, or it does not end within the file. Fields of
 * types that are none, or without values, are passed over.
 */
export function readIfd(numbers: TiffNumbers, offset: number, big: boolean): Ifd | undefined {
  const { size } = numbers.reader
  const layout = ifdLayout(big)
  if (!(offset >= 0) || offset + layout.count > size) return undefined
  const count = big ? numbers.u64(offset) : numbers.u16(offset)
  const nextAt = offset + layout.count + count * layout.entry
  if (count === 0 || count > MOST_ENTRIES || nextAt > size) return undefined
  const entries = new Map<number, IfdEntry>()
  for (let at = offset + layout.count; at < nextAt; at += layout.entry) {
    const entry = readEntry(numbers, at, big)
    if (entry && !entries.has(entry.tag)) entries.set(entry.tag, entry)
  }
  const next = big ? numbers.u64(nextAt) : numbers.u32(nextAt)
  return { offset, end: nextAt + layout.pointer, next, nextAt, entries }
}

function readEntry(numbers: TiffNumbers, at: number, big: boolean): IfdEntry | undefined {
  const type = numbers.u16(at + 2)
  const count = big ? numbers.u64(at + 4) : numbers.u32(at + 4)
  const bytes = typeBytes(type) * count
  if (bytes === 0) return undefined
  const field = at + (big ? 12 : 8)
  const inline = bytes <= (big ? 8 : 4)
  const valueAt = inline ? field : big ? numbers.u64(field) : numbers.u32(field)
  return { tag: numbers.u16(at), type, count, at, valueAt, bytes, inline }
}

/** The whole numbers of a field, `most` of them at most; those past the end of the file are left out. */
export function numbersOf(numbers: TiffNumbers, entry: IfdEntry | undefined, most: number): number[] {
  if (!entry) return []
  const width = typeBytes(entry.type)
  const there = Math.floor(Math.max(0, numbers.reader.size - entry.valueAt) / width)
  const found: number[] = []
  for (let i = 0; i < Math.min(entry.count, most, there); i++) {
    const at = entry.valueAt + i * width
    if (entry.type === TYPE.byte) found.push(numbers.reader.u8(at))
    else if (entry.type === TYPE.short) found.push(numbers.u16(at))
    else if (width === 8) found.push(numbers.u64(at))
    else found.push(numbers.u32(at))
  }
  return found
}

/** The first number of a field, or `otherwise` where there is no such field. */
export function numberOf(numbers: TiffNumbers, ifd: Ifd, tag: number, otherwise: number): number {
  return numbersOf(numbers, ifd.entries.get(tag), 1)[0] ?? otherwise
}
