import type { InputFile, Probe } from '../format.ts'
import { lookedAt } from '../looked-at.ts'
import { readMediaHeader } from './read/media-header.ts'
import { FILE_START } from './read/scan.ts'
import { isKind, isTagHeader, isTrailed } from './read/tag.ts'
import { TAG_HEADER } from './read/tag-table.ts'

/** Bytes looked at in the middle and at the tail, each. */
const WINDOW = 128 * 1024

/** Judges whether a file is FLV: by its header, by tags whose size stands on both ends, at head, middle or tail. */
export function probe({ reader }: InputFile): Probe {
  const reasons: string[] = []
  let score = 0
  if (reader.u24(0) === 0x464c56 && reader.u8(3) <= 4) {
    score = reader.u32(5) === 9 ? 60 : 30
    reasons.push('head: FLV')
  }
  if (score > 0 && isTagHeader(reader, FILE_START)) {
    reasons.push('head: a tag follows')
    return { score: 98, reasons }
  }
  for (const { place, from } of lookedAt(reader.size, WINDOW, ['head', 'tail', 'middle'])) {
    const bytes = reader.bytes(from, WINDOW).slice()
    for (let i = 0; i + TAG_HEADER <= bytes.length; i++) {
      const at = from + i
      const first = bytes[i]
      if (!isKind(first) || !isTagHeader(reader, at)) continue
      const size = reader.u24(at + 1)
      // a tag of a few bytes may be chance
      if (size < 2 || !isTrailed(reader, at, size)) continue
      if (readMediaHeader(first, reader.bytes(at + TAG_HEADER, 8)).codec === '') continue
      reasons.push(`${place}: a tag at ${at}`)
      return { score: Math.max(score, 85), reasons }
    }
  }
  if (reasons.length === 0) reasons.push('no tags')
  return { score, reasons }
}
