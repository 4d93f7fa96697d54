import type { ByteReader } from '../../../bytes/reader.ts'
import { MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { isKind } from './tag.ts'
import { AUDIO, NEW_HEADER, TAG_HEADER, type TagTable, TRAILER, VIDEO } from './tag-table.ts'

/** Facts of a header (type, size, stream number, what its data begin with) of which at least so many have to hold. */
const LEAST_FACTS = 3
/** Tags before a hole that tell what data begin with. */
const LOOK_BACK = 64

export interface MendedTag {
  readonly offset: number
  readonly size: number
  readonly kind: number
  readonly flags: number
}

/**
 * Tags right before the sound one at `to`, back to `from` at most, whose header was hit in one place: the size behind each tells
 * where it begins. In file order.
 */
export function mendedHeader(reader: ByteReader, from: number, to: number, table: TagTable): MendedTag[] {
  const tags: MendedTag[] = []
  for (let end = to; ; ) {
    const size = reader.u32(end - TRAILER) - TAG_HEADER
    const offset = end - TRAILER - TAG_HEADER - size
    if (size <= 0 || size > 0xffffff || offset < from) break
    const kind = kindOf(reader, offset, size, table)
    if (kind === 0) break
    tags.push({ offset, size, kind, flags: NEW_HEADER })
    end = offset
  }
  return tags.reverse()
}

function kindOf(reader: ByteReader, offset: number, size: number, table: TagTable): number {
  const own = reader.u8(offset)
  const data = reader.bytes(offset + TAG_HEADER, Math.min(MEDIA_HEAD, size)).slice()
  const kinds = isKind(own) ? [own] : [AUDIO, VIDEO].filter((kind) => isUsual(kind, data, table))
  const [kind] = kinds
  if (kind === undefined) return 0
  const facts = [
    isKind(own),
    reader.u24(offset + 1) === size,
    reader.u24(offset + 8) === 0,
    isUsual(kind, data, table),
  ]
  return facts.filter(Boolean).length >= LEAST_FACTS ? kind : 0
}

/** Whether tags of this type carry the codec that `data` begin with. */
function isUsual(kind: number, data: Uint8Array, table: TagTable): boolean {
  const { codec } = readMediaHeader(kind, data)
  if (codec === '') return false
  for (let row = table.length - 1; row >= Math.max(0, table.length - LOOK_BACK); row--)
    if (table.kind[row] === kind && table.codecName(row) !== '') return table.codecName(row) === codec
  return true
}
