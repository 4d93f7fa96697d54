import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, isCut, readBox } from '../../../syntax/iso-boxes/box.ts'
import { type HeifMeta, metaOf } from './meta.ts'

/** How far the boxes of a `meta` box are looked for: those of photos stand at the head. */
const LOOK = 64 * 1024
/** What a picture is told by; without references, of what its parts are and what belongs to it. */
const TYPES = ['pitm', 'iinf', 'iloc', 'iref', 'iprp', 'idat']

/**
 * What the boxes within a `meta` box say whose own beginning is gone, wherever they stand near the head; undefined where too few
 * do.
 */
export function looseMeta(reader: ByteReader): HeifMeta | undefined {
  const found = new Map<string, Box>()
  const limit = Math.min(LOOK, reader.size)
  for (let at = 0; at + 8 <= limit; at++) {
    // the first letters of all of them
    const letter = reader.u8(at + 4)
    if (letter !== 0x70 && letter !== 0x69) continue
    const type = reader.fourcc(at + 4)
    if (!TYPES.includes(type) || found.has(type)) continue
    const box = readBox(reader, at, reader.size)
    if (!box || isCut(box) || box.form === 'to-end') continue
    found.set(type, box)
    at = box.end - 1
  }
  return metaOf(reader, [...found.values()])
}

/** Whether a box of item properties stands at an offset: no other file has one. */
export function isItemProperties(reader: ByteReader, offset: number): boolean {
  if (reader.u8(offset + 4) !== 0x69 || reader.fourcc(offset + 4) !== 'iprp') return false
  const box = readBox(reader, offset, reader.size)
  return box !== undefined && readBox(reader, bodyOf(box), box.end)?.type === 'ipco'
}
