import type { ByteReader } from '../../bytes/reader.ts'
import type { ByteSource } from '../../bytes/source.ts'

/** Bytes looked at in one go: the reader's block, so that views need no copying. */
const WINDOW = 1 << 18
/** Places looked at one by one before. */
const NEAR = 6

/** Bytes from `at` to the end of its block, or `overlap` more when no more than those are left. */
function window(at: number, overlap: number): number {
  const left = WINDOW - (at % WINDOW)
  return left > overlap ? left : left + overlap
}

/** Offset of the next 00 00 01 in [from, end), which must lie there whole, or `end`. */
export function nextStartCode(reader: ByteReader, from: number, end: number): number {
  let at = from
  // the usual case in bytes full of start codes, for which a view each would cost most
  for (const near = Math.min(end - 3, from + NEAR); at <= near; ) {
    const third = reader.u8(at + 2)
    if (third === 1 && reader.u16(at) === 0) return at
    at += third === 0 ? 1 : 3
  }
  while (at + 3 <= end) {
    const bytes = reader.bytes(at, Math.min(end - at, window(at, 2)))
    const length = bytes.length
    if (length < 3) return end
    let i = 2
    while (i < length) {
      const byte = bytes[i]
      if (byte > 1) i += 3
      else if (byte === 0) i++
      else if (bytes[i - 1] === 0 && bytes[i - 2] === 0) return at + i - 2
      else i += 3
    }
    at += length - 2
  }
  return end
}

/**
 * First offset in [from, to) of three zero bytes (a start code's apart) or of 00 00 02, which no NAL unit holds (ITU-T H.264
 * §7.4.1, H.265 §7.4.2), or `to` when the unit is clean. Zeroed stretches show here, foreign ones often. Start codes do
 * not count: some writers leave them in a unit by mistake, and decoders do not mind.
 */
export function forbiddenSequence(reader: ByteReader, from: number, to: number): number {
  let at = from
  while (at + 4 <= to) {
    const bytes = reader.bytes(at, Math.min(to - at, window(at, 3)))
    const stop = bytes.length - 3
    if (stop <= 0) return to
    const found = soughtIn(bytes, stop, reader.source)
    if (found >= 0) return at + found
    at += stop
  }
  return to
}

/** What every forbidden sequence begins with, and start codes and escaped bytes do, too. */
const PAIR = new Uint8Array(2)
/**
 * Bytes from which on the environment's search pays, and pairs of zeros after which it does not: payload has one in 65,536 bytes.
 */
const LONG = 2048
const MOST_PAIRS = 64

/** As `forbiddenIn`, by the environment's search where there is one. */
function soughtIn(bytes: Uint8Array, stop: number, source: ByteSource): number {
  if (!source.indexOf || stop < LONG) return forbiddenIn(bytes, stop)
  let from = 0
  for (let pairs = 0; pairs < MOST_PAIRS; pairs++) {
    const at = source.indexOf(bytes, PAIR, from)
    if (at < 0 || at >= stop) return -1
    if (isForbidden(bytes[at + 2], bytes[at + 3])) return at
    from = at + 1
  }
  return forbiddenIn(bytes, stop)
}

/**
 * The first one at a place in front of `stop`, behind which three bytes are; -1 where there is none. Of its three bytes two are a
 * whole half of an aligned word, both zero but for a 2: so eight bytes are looked at in one step, and hardly any of them twice.
 */
function forbiddenIn(bytes: Uint8Array, stop: number): number {
  const aligned = -bytes.byteOffset & 3
  const count = Math.max(0, (bytes.length - aligned) >>> 2)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, count)
  const head = firstForbidden(bytes, 0, Math.min(aligned, stop))
  if (head >= 0) return head
  const pairs = count & ~1
  for (let word = 0; word < pairs; word += 2) {
    const rest = words[word] & ~0x0202_0202
    const more = words[word + 1] & ~0x0202_0202
    if ((((rest - 0x0001_0001) & ~rest) | ((more - 0x0001_0001) & ~more)) & 0x8000_8000) {
      const at = aligned + word * 4
      const found = firstForbidden(bytes, Math.max(0, at - 1), Math.min(at + 7, stop))
      if (found >= 0) return found
    }
  }
  return firstForbidden(bytes, Math.max(0, aligned + pairs * 4 - 1), stop)
}

function firstForbidden(bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    if (bytes[i] === 0 && bytes[i + 1] === 0 && isForbidden(bytes[i + 2], bytes[i + 3])) return i
  }
  return -1
}

function isForbidden(third: number, fourth: number): boolean {
  return third === 2 || (third === 0 && fourth !== 1)
}

/** The NAL units of an Annex B byte stream held in memory, without start codes and trailing zeros. */
export function splitStartCodes(stream: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = []
  let start = -1
  const close = (until: number): void => {
    let end = until
    while (end > start && stream[end - 1] === 0) end--
    if (start >= 0 && end > start) units.push(stream.subarray(start, end))
  }
  for (let i = 0; i + 2 < stream.length; i++) {
    if (stream[i] !== 0 || stream[i + 1] !== 0 || stream[i + 2] !== 1) continue
    close(i)
    start = i + 3
    i += 2
  }
  close(stream.length)
  return units
}
