import { adler32, ZLIB_HEADER } from '../../../bytes/deflate/inflate-zlib.ts'
import { Inflater, LONGEST_MATCH, type Plain } from '../../../bytes/deflate/inflater.ts'
import { LimitError } from '../../../model/errors.ts'
import { mostOf } from '../../../model/extremes.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { u32 } from './chunk.ts'
import type { Frame } from './frames.ts'
import type { Header } from './header.ts'
import { PAETH, type Pass, passesOf, plainLength } from './rows.ts'

/** Inflated data that are held in memory: a picture of 128 megapixels of four bytes. */
const MOST_PLAIN = 512 * 1024 * 1024
/** Bytes that one byte of a stream inflates to at most: a match of 258 for each two bits, RFC 1951 §3.2.5. */
const MOST_PLAIN_A_BYTE = 4 * LONGEST_MATCH
/** Bytes inflated between two pauses. */
const STEP = 1 << 21

/** A frame's data as far as they can be read from their beginning. */
export interface CheckedFrame {
  readonly frame: Frame
  readonly passes: readonly Pass[]
  /** Inflated data, of which `length` bytes are there: room for as many as there should be, or as these data can come to. */
  readonly plain: Plain
  /** Bytes of `plain` that the picture asks for. */
  readonly wanted: number
  /** Whether the two bytes of RFC 1950 §2.2 in front are right. */
  readonly zlibHeader: boolean
  readonly end: 'whole' | 'cut' | 'broken' | 'long'
  /** Bit of the stream behind the last symbol that was read. */
  readonly symbolEnd: number
  /** Where the checksum of RFC 1950 stands in the stream, when the data came to their end. */
  readonly checksumAt: number | undefined
  /** Whether it agrees; undefined when it is not there. */
  readonly checked: boolean | undefined
  /** First byte of `plain` at which a row begins with no filter type; infinite when there is none. */
  readonly badFilter: number
  /** The data are all there, and right. */
  readonly whole: boolean
}

/** Inflates a frame and holds it against its size. @throws LimitError for pictures that do not fit into memory */
export async function checkFrame(frame: Frame, header: Header, monitor: Monitor): Promise<CheckedFrame> {
  const passes = passesOf(header, frame.width, frame.height)
  const wanted = plainLength(passes)
  if (wanted > MOST_PLAIN) throw new LimitError('the picture is too large')
  const { stream } = frame
  // no more than the data can come to: frames without number may claim any size
  const row = mostOf(passes, ({ stride }) => stride)
  const room = Math.min(wanted, stream.length * MOST_PLAIN_A_BYTE + row)
  const plain: Plain = { bytes: new Uint8Array(room + LONGEST_MATCH), length: 0 }
  const inflater = new Inflater(stream, ZLIB_HEADER * 8, plain)
  for (let at = 0; inflater.end === undefined && at < plain.bytes.length; at += STEP) {
    inflater.run(at + STEP)
    await monitor.pause()
  }
  // what a stream holds beyond the picture is of no use, but its end has the checksum
  const end = inflater.end === 'whole' && plain.length > wanted ? 'long' : (inflater.end ?? 'long')
  const checksumAt = inflater.end === 'whole' ? Math.ceil(inflater.symbolEnd / 8) : undefined
  const there = checksumAt !== undefined && checksumAt + 4 <= stream.length
  const checked = there
    ? u32(stream, checksumAt) === adler32(plain.bytes.subarray(0, plain.length))
    : undefined
  const badFilter = firstBadFilter(plain, passes)
  const zlibHeader = isZlibHeader(stream)
  return {
    ...{
      frame,
      passes,
      plain,
      wanted,
      zlibHeader,
      end,
      symbolEnd: inflater.symbolEnd,
      checksumAt,
      checked,
      badFilter,
    },
    whole:
      zlibHeader && end === 'whole' && plain.length === wanted && checked === true && badFilter === Infinity,
  }
}

const METHOD_DEFLATE = 8
const LARGEST_WINDOW = 7
const PRESET_DICTIONARY = 0x20

/** RFC 1950 §2.2. */
function isZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  const right = (method & 15) === METHOD_DEFLATE && method >> 4 <= LARGEST_WINDOW
  return right && (method * 256 + flags) % 31 === 0 && (flags & PRESET_DICTIONARY) === 0
}

function firstBadFilter({ bytes, length }: Plain, passes: readonly Pass[]): number {
  for (const { start, stride, height } of passes)
    for (let row = 0, at = start; row < height && at < length; row++, at += stride)
      if (bytes[at] > PAETH) return at
  return Infinity
}
