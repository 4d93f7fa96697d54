import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'

const LENGTH = 2
/** Boxes behind the text, 3GPP TS 26.245 §5.17.1 and QuickTime File Format, 'Text Media'. */
const MODIFIERS: ReadonlySet<string> = new Set(
  'styl hlit hclr krok dlay href tbox blnk twrp ftab encd drpo drpt imag metr'.split(' '),
)
const MODIFIER_HEADER = 8
const MOST_MODIFIERS = 16
/** Text of one sample: some lines. */
const MOST_TEXT = 4096
const MARKS = [0xfeff, 0xfffe]
/** Bits by which printable characters and no others speak for text, each; up to so many. */
const CHARACTER_EVIDENCE = 1.2
const MOST_EVIDENCE = 40
const EMPTY_EVIDENCE = 6
/** Zeros behind an empty text that no other track's unit begins with: what is empty follows text, not another that is empty. */
const ZEROS = 4
const MARK_EVIDENCE = 15

/** Timed text: a length of two bytes, UTF-8 or marked UTF-16, modifiers. `tx3g` and QuickTime's `text` alike. */
export const timedText: Codec = { name: 'tx3g', recogniser: () => new TimedTextRecogniser('tx3g') }
export const quickTimeText: Codec = { name: 'text', recogniser: () => new TimedTextRecogniser('text') }

class TimedTextRecogniser implements Recogniser {
  readonly codec: string
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #count = 0

  constructor(codec: string) {
    this.codec = codec
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const length = reader.u16(offset)
    let at = offset + LENGTH + length
    if (length > MOST_TEXT || at > end) return false
    if (length === 0 && at + ZEROS <= end && reader.u32(at) === 0) return false
    const evidence = length === 0 ? EMPTY_EVIDENCE : textEvidence(reader.bytes(offset + LENGTH, length))
    if (evidence < 0) return false
    unit.evidence = evidence
    for (let n = 0; n < MOST_MODIFIERS && at + MODIFIER_HEADER <= end; n++) {
      const size = reader.u32(at)
      if (size < MODIFIER_HEADER || at + size > end || !MODIFIERS.has(reader.fourcc(at + 4))) break
      at += size
      unit.evidence += 30
    }
    unit.length = at - offset
    unit.lengthKnown = true
    unit.damaged = false
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
  }

  discontinuity(): void {}

  /** Lengths are below the longest text. */
  search(reader: ByteReader, from: number, end: number): number {
    for (let at = from; at < end; at++) if (reader.u8(at) <= MOST_TEXT >> 8) return at
    return end
  }
}

/** Bits by which bytes are text; negative where they are none. */
function textEvidence(bytes: Uint8Array): number {
  if (MARKS.includes((bytes[0] << 8) | bytes[1])) return bytes.length % 2 === 0 ? MARK_EVIDENCE : -1
  let characters = 0
  for (let i = 0; i < bytes.length; ) {
    const more = continuation(bytes[i])
    if (more < 0) return -1
    let whole = i + more < bytes.length
    for (let k = 1; whole && k <= more; k++) whole = bytes[i + k] >> 6 === 2
    // what is no UTF-8 may be text of an older encoding, and says nothing
    if (whole && more < FOREIGN) characters++
    i += whole && more < FOREIGN ? more + 1 : 1
  }
  return Math.min(MOST_EVIDENCE, characters * CHARACTER_EVIDENCE)
}

/** Stands for bytes that begin no UTF-8 character. */
const FOREIGN = 4

/** Bytes that follow the first of a UTF-8 character, RFC 3629; `FOREIGN` for a byte that begins none, −1 for what is no text. */
function continuation(byte: number): number {
  if (byte < 0x20) return byte === 0x0a || byte === 0x0d || byte === 0x09 ? 0 : -1
  if (byte < 0x7f) return 0
  if (byte >= 0xc2 && byte < 0xe0) return 1
  if (byte >= 0xe0 && byte < 0xf0) return 2
  return byte >= 0xf0 && byte < 0xf5 ? 3 : FOREIGN
}
