import type { ByteReader } from '../../../bytes/reader.ts'
import { MEDIA_HEAD, readMediaHeader } from './media-header.ts'
import { FILTER, isTagHeader } from './tag.ts'
import { NEW_HEADER, NEW_TRAILER, TAG_HEADER, TORN, TRAILER } from './tag-table.ts'

/** A tag at a hole's beginning. */
export interface TornTag {
  /** Bytes of data by its header; 0 where none stands there. */
  readonly declared: number
  /** It is worth keeping, with so many bytes of data. */
  readonly kept: boolean
  readonly size: number
  readonly flags: number
  /** It reaches beyond the end of the file. */
  readonly isLast: boolean
}

/** Sound whose samples stand for themselves. */
export const PLAIN: ReadonlySet<string> = new Set(['pcm', 'g711-a', 'g711-mu'])

/** Bytes in front of samples, and those of one for all channels at most. */
const PLAIN_HEAD = 1
const SAMPLE_BYTES = 4

const NONE: TornTag = { declared: 0, kept: false, size: 0, flags: 0, isLast: false }

/** Looks at what a hole [from, to) begins with; `open` where nothing follows it. */
export function tornTag(reader: ByteReader, from: number, to: number, open: boolean): TornTag {
  if (!isTagHeader(reader, from)) return NONE
  const kind = reader.u8(from) & ~FILTER
  const declared = reader.u24(from + 1)
  const media = readMediaHeader(kind, reader.bytes(from + TAG_HEADER, Math.min(MEDIA_HEAD, declared)))
  if (media.codec === '' || declared === 0) return NONE
  // samples as they are stay samples; a decoder makes less of the rest of a coded unit than of none
  const there = Math.min(declared, to - from - TAG_HEADER - (open ? 0 : TRAILER))
  const whole = PLAIN_HEAD + Math.max(0, Math.floor((there - PLAIN_HEAD) / SAMPLE_BYTES)) * SAMPLE_BYTES
  const isWorth = open ? whole > PLAIN_HEAD : there * 2 >= declared
  return {
    declared,
    kept: PLAIN.has(media.codec) && isWorth,
    // in front of others what is missing is silence; the last one ends where the file does
    size: open ? whole : declared,
    flags: TORN | NEW_HEADER | NEW_TRAILER,
    isLast: from + TAG_HEADER + declared >= reader.size,
  }
}
