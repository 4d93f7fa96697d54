import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { emptyPicture, extendPicture, parseSequence, readPicture } from '../../../codecs/mpeg12/headers.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
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
const CODE_BYTES = 4
/** Bytes in which a picture's header ends, and its extension. */
const PICTURE_HEAD = 64
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
 * `behind` are the first bytes that their stream goes on with: the last one's header may end in them.
 */
export function pictureStarts(
  reader: ByteReader,
  codec: string,
  from: number,
  to: number,
  behind: Uint8Array,
): PictureStarts | undefined {
  const codes = codesIn(reader, from, to)
  if (!codes) return undefined
  const headAt = (at: number): Uint8Array =>
    joined([reader.bytes(at, Math.min(PICTURE_HEAD, to - at)), behind.subarray(0, PICTURE_HEAD)])
  const pictures = codes.flatMap(({ code }, i) =>
    code === PICTURE ? [{ i, reference: referenceOf(codec, headAt(codes[i].at)) }] : [],
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

/**
 * temporal_reference of the picture whose header some bytes begin with; -1 where that, or what comes behind it, breaks the
 * syntax.
 */
function referenceOf(codec: string, head: Uint8Array): number {
  const picture = emptyPicture()
  const next = nextCode(head, CODE_BYTES)
  if (next + CODE_BYTES > head.length || !readPicture(head.subarray(CODE_BYTES, next), picture)) return -1
  const code = head[next + 3]
  if (codec === 'mpeg1video') return code === USER_DATA || code === 1 ? picture.temporalReference : -1
  const extension = head.subarray(next + CODE_BYTES)
  const isWhole = code === EXTENSION && extension[0] >> 4 === PICTURE_EXTENSION
  return isWhole && extendPicture(extension, picture) ? picture.temporalReference : -1
}

/** Whether a start code is of what stands in front of a picture. */
function isHead(code: number): boolean {
  return code === SEQUENCE || code === GROUP || code === EXTENSION || code === USER_DATA
}
