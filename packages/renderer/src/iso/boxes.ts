import { RendererError } from '../errors.ts'

/** A box within a buffer (ISO/IEC 14496-12:2022 §4.2). */
export interface Box {
  readonly type: string
  /** First byte of its header. */
  readonly start: number
  /** First byte of its content. */
  readonly content: number
  readonly end: number
}

const HEADER_BYTES = 8
const LARGE_HEADER_BYTES = 16

/** The boxes that fill `bytes` from `start` to `end`. @throws RendererError `input` when one does not fit */
export function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = start; at + HEADER_BYTES <= end; ) {
    const short = bytes.readUInt32BE(at)
    const large = short === 1 && at + LARGE_HEADER_BYTES <= end
    const size = large ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? end - at : short
    const header = large ? LARGE_HEADER_BYTES : HEADER_BYTES
    // QuickTime ends some lists with four zero bytes.
    if (short === 0 && end - at <= HEADER_BYTES) break
    if (size < header || at + size > end) throw new RendererError('input', 'a box of the index does not fit')
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      start: at,
      content: at + header,
      end: at + size,
    })
    at += size
  }
  return boxes
}

/** Follows a path of box types from `parent` down, first of each type. */
export function findBox(bytes: Buffer, parent: Box, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = parent
  for (const type of path) {
    if (!box) return undefined
    box = boxesIn(bytes, box.content, box.end).find((child) => child.type === type)
  }
  return box
}

/** A box of this type with this content. */
export function makeBox(type: string, ...content: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const size = content.reduce((sum, part) => sum + part.length, HEADER_BYTES)
  if (size > 0xffff_ffff) throw new RendererError('unsupported', `the ${type} box would outgrow 4 GiB`)
  header.writeUInt32BE(size)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}

/** A full box of version and flags 0 with a counted list of 32-bit numbers, `before` in front of the count. */
export function makeList(
  type: string,
  values: readonly number[],
  width: number,
  before: number[] = [],
): Buffer {
  const content = Buffer.alloc(4 + 4 * before.length + 4 + 4 * values.length)
  let at = 4
  for (const value of before) at = content.writeUInt32BE(value, at)
  at = content.writeUInt32BE(values.length / width, at)
  for (const value of values) at = content.writeUInt32BE(value >>> 0, at)
  return makeBox(type, content)
}
