import type { ByteReader } from '../../../bytes/reader.ts'
import type { Deduced } from './finding.ts'
import type { Frame, Stream } from './stream.ts'

/** Frames looked at, and bytes of a text. */
const LOOKED = 48
const TEXT = 4096

/** Kinds of segments of Blu-ray's subtitles: palette, object, presentation, window, and the end of what belongs together. */
const SEGMENTS: ReadonlySet<number> = new Set([0x14, 0x15, 0x16, 0x17, 0x80])
const PRESENTATION = 0x16
const SEGMENT_HEAD = 3
/** Commands of a DVD's subpicture, the last one, and bytes of what each is followed by; 7 tells its own. */
const LAST_COMMAND = 0xff
const COMMAND_BYTES: readonly number[] = [0, 0, 0, 2, 2, 6, 4]

/** What kind of subtitles a track's frames are; undefined where they are none. */
export function deduceSubtitles(reader: ByteReader, stream: Stream): Deduced | undefined {
  const frames = stream.frames.slice(0, LOOKED)
  if (frames.length === 0) return undefined
  const areAll = (fits: (reader: ByteReader, frame: Frame) => boolean): boolean =>
    frames.every((frame) => fits(reader, frame))
  if (areAll(isPresentation)) return { codecId: 'S_HDMV/PGS', kind: 'text', assumed: false }
  // a subpicture's colours are numbers of a palette, which is lost
  if (areAll(isSubpicture)) return { codecId: 'S_VOBSUB', kind: 'text', assumed: true }
  return stream.timed && areAll(isText) ? { codecId: 'S_TEXT/UTF8', kind: 'text', assumed: true } : undefined
}

/** Segments that begin with a presentation and fill the frame, each behind its kind and length, US 2009/0185789 A1. */
function isPresentation(reader: ByteReader, { offset, size }: Frame): boolean {
  if (reader.u8(offset) !== PRESENTATION) return false
  const end = offset + size
  let at = offset
  while (at + SEGMENT_HEAD <= end && SEGMENTS.has(reader.u8(at))) at += SEGMENT_HEAD + reader.u16(at + 1)
  return at === end
}

/**
 * A subpicture unit: its size, where its control sequences begin, its pixels, and sequences that lead from one to the next, each
 * of commands that reach to the last one.
 */
function isSubpicture(reader: ByteReader, { offset, size }: Frame): boolean {
  const control = reader.u16(offset + 2)
  if (reader.u16(offset) !== size || control < 4 || control + 5 > size) return false
  for (let sequence = control; ; ) {
    const next = reader.u16(offset + sequence + 2)
    let at = sequence + 4
    while (at < size && reader.u8(offset + at) < COMMAND_BYTES.length)
      at += 1 + COMMAND_BYTES[reader.u8(offset + at)]
    if (at < size && reader.u8(offset + at) === COMMAND_BYTES.length) at += 1 + reader.u16(offset + at + 1)
    if (at >= size || reader.u8(offset + at) !== LAST_COMMAND) return false
    if (next === sequence) return true
    if (next < at || next + 5 > size) return false
    sequence = next
  }
}

/** UTF-8 without control characters; the last character may be cut off. */
function isText(reader: ByteReader, { offset, size }: Frame): boolean {
  const bytes = reader.bytes(offset, Math.min(size, TEXT))
  return bytes.length > 0 && isUtf8(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]
    if (first < 9 || (first > 13 && first < 32)) return false
    const more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xf5 ? Math.clz32(~(first << 24)) - 1 : -1
    if (more < 0) return false
    for (let i = 1; i <= more && at + i < bytes.length; i++) if (bytes[at + i] >> 6 !== 2) return false
    at += more + 1
  }
  return true
}
