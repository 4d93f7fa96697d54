import type { ByteReader } from '../../../bytes/reader.ts'
import type { Sequence } from '../../../codecs/mpeg12/headers.ts'
import { readSequenceHead, sequenceHeadAt } from '../../../codecs/mpeg12/sequence-head.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { SEQUENCE } from '../../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { Monitor } from '../../../model/monitor.ts'

/** Bytes of a sequence header with both matrices and its extensions, about. */
const LONGEST_HEAD = 512
/** Kinds of headers that are told apart: recordings have one, or a few that were put together. */
const MOST_KINDS = 256
/** Start codes between two breaths. */
const BREATH_CODES = 4096
/** Bytes behind the start code that say size, form and rate of pictures. */
const SHAPE_BYTES = 8
/** Bits of those that damage turns: other recordings differ in more. */
const FEW_BITS = 4

/** A sequence header with its extensions. */
export interface Head {
  readonly bytes: Uint8Array
  readonly sequence: Sequence
}

/** What the sequence headers of a file say. */
export interface Heads {
  /** What most of them say, as the first of those says it. */
  readonly usual: Head | undefined
  /** What more than one of them says, as text. */
  readonly known: ReadonlySet<string>
}

/** The sequence header at `at`; undefined where it breaks the syntax. */
export function headAt(reader: ByteReader, at: number): Head | undefined {
  const bytes = sequenceHeadAt(reader.bytes(at, LONGEST_HEAD), 0)
  return bytes && headOf(bytes)
}

function headOf(bytes: Uint8Array): Head | undefined {
  const sequence = readSequenceHead(bytes)
  return sequence && { bytes, sequence }
}

/** Looks for all sequence headers of a file. */
export async function findHeads(reader: ByteReader, monitor: Monitor): Promise<Heads> {
  const found = new Map<string, { head: Head; count: number }>()
  let last: { head: Head; count: number } | undefined
  let codes = 0
  for (
    let at = nextStartCode(reader, 0, reader.size);
    at < reader.size;
    at = nextStartCode(reader, at + 3, reader.size)
  ) {
    if (++codes % BREATH_CODES === 0) await monitor.pause()
    if (reader.u8(at + 3) !== SEQUENCE) continue
    const bytes = sequenceHeadAt(reader.bytes(at, LONGEST_HEAD), 0)
    if (last && bytes && isSame(bytes, last.head.bytes)) {
      last.count++
      continue
    }
    const head = bytes && headOf(bytes)
    if (!head) continue
    const text = textOf(head)
    last = found.get(text)
    if (last) last.count++
    else if (found.size < MOST_KINDS) {
      last = { head, count: 1 }
      found.set(text, last)
    }
  }
  const kinds = [...found.values()].sort((a, b) => b.count - a.count)
  const known = new Set(kinds.filter(({ count }) => count > 1).map(({ head }) => textOf(head)))
  return { usual: kinds[0]?.head, known }
}

/** Whether two headers are the same to the byte, as most of a file's are. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function textOf({ sequence }: Head): string {
  return JSON.stringify(sequence)
}

/** Whether a header is the usual one with some bits turned, or without its extension. */
export function isHitHead(head: Head, { usual, known }: Heads): boolean {
  if (!usual || known.has(textOf(head)) || textOf(head) === textOf(usual)) return false
  let bits = 0
  for (let at = 4; at < 4 + SHAPE_BYTES; at++)
    for (let left = head.bytes[at] ^ usual.bytes[at]; left > 0; left >>= 1) bits += left & 1
  return bits <= FEW_BITS
}

/** The bytes of a file from its first start code on, as far as they are needed to see how large pictures are. */
export function firstPictures(reader: ByteReader, most: number): Uint8Array {
  const start = nextStartCode(reader, 0, reader.size)
  const bytes = reader.bytes(start, most).slice()
  return bytes.subarray(nextCode(bytes, 0))
}
