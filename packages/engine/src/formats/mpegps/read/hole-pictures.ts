import type { ByteReader } from '../../../bytes/reader.ts'
import { emptyPicture, extendPicture, parseSequence, readPicture } from '../../../codecs/mpeg12/headers.ts'
import {
  EXTENSION,
  GROUP,
  PICTURE,
  PICTURE_EXTENSION,
  SEQUENCE,
  USER_DATA,
} from '../../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'

/** Bytes of a picture header and its extension. */
const HEAD = 16
/** Start codes looked at: more than the pictures of a packet have. */
const MOST_CODES = 4096

/** Pictures whose beginnings lie one behind the other in some bytes. */
export interface PictureStarts {
  /** Where the first one begins, its headers of group and sequence included. */
  readonly start: number
  readonly count: number
  /** temporal_reference of the first one. */
  readonly reference: number
  /** A group, whose references count anew, begins with the first one, or behind it. */
  readonly startsGroup: boolean
  readonly hasGroup: boolean
}

interface Code {
  readonly at: number
  readonly code: number
}

/**
 * The pictures of MPEG-1 or MPEG-2 that begin in [from, to), up to whose end nothing else begins; undefined where there are none.
 */
export function pictureStarts(
  reader: ByteReader,
  codec: string,
  from: number,
  to: number,
): PictureStarts | undefined {
  const codes = codesIn(reader, from, to)
  if (!codes) return undefined
  const pictures = codes.flatMap(({ code }, i) =>
    code === PICTURE ? [{ i, reference: referenceOf(reader, codec, codes, i) }] : [],
  )
  const [first] = pictures
  if (!first || pictures.some(({ reference }) => reference < 0)) return undefined
  let head = first.i
  while (head > 0 && isHead(codes[head - 1].code)) head--
  const [{ at, code }] = codes.slice(head)
  // what is in front of a lone extension is not known
  const start = code === EXTENSION || code === USER_DATA ? codes[first.i].at : at
  if (code === SEQUENCE && !parseSequence(reader.bytes(at + 4, HEAD))) return undefined
  const startsGroup = codes.slice(head, first.i).some((front) => front.code === GROUP)
  const hasGroup = codes.slice(first.i).some((behind) => behind.code === GROUP)
  return { start, count: pictures.length, reference: first.reference, startsGroup, hasGroup }
}

/** The start codes in [from, to); undefined where one is none of pictures. */
function codesIn(reader: ByteReader, from: number, to: number): Code[] | undefined {
  const codes: Code[] = []
  for (let at = nextStartCode(reader, from, to); at + 4 <= to; at = nextStartCode(reader, at + 3, to)) {
    const code = reader.u8(at + 3)
    if (code > GROUP || codes.length === MOST_CODES) return undefined
    codes.push({ at, code })
  }
  return codes
}

/** temporal_reference of the picture whose header is the `i`th code; -1 where that breaks the syntax. */
function referenceOf(reader: ByteReader, codec: string, codes: readonly Code[], i: number): number {
  const picture = emptyPicture()
  const next = codes.at(i + 1)
  if (!next || !readPicture(reader.bytes(codes[i].at + 4, HEAD), picture)) return -1
  if (codec === 'mpeg1video')
    return next.code === USER_DATA || next.code === 1 ? picture.temporalReference : -1
  const extension = reader.bytes(next.at + 4, HEAD)
  const isWhole = next.code === EXTENSION && extension[0] >> 4 === PICTURE_EXTENSION
  return isWhole && extendPicture(extension, picture) ? picture.temporalReference : -1
}

/** Whether a start code is of what stands in front of a picture. */
function isHead(code: number): boolean {
  return code === SEQUENCE || code === GROUP || code === EXTENSION || code === USER_DATA
}
