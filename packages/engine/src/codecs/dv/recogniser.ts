import type { ByteReader } from '../../bytes/reader.ts'
import { IntraRecogniser } from '../intra/intra-recogniser.ts'
import type { Unit } from '../recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** DIF blocks of a DIF sequence and bytes of a block, IEC 61834-2 and SMPTE 314M-2005 §4. */
const BLOCK = 80
const SEQUENCE = 150 * BLOCK
/** DIF sequences of a channel: ten for 525 lines, twelve for 625. */
const SEQUENCES_525 = 10
const SEQUENCES_625 = 12
/** Channels of a frame: 25, 50 and 100 Mbit/s. */
const MAX_CHANNELS = 4
/** Block types: header, subcode, VAUX, audio and video (SCT in the upper three bits of the first id byte). */
const HEADER = 0
const SUBCODE = 1
const VAUX = 2
/** Header blocks checked by two id bytes each, of which chance meets few. */
const BLOCK_EVIDENCE = 12
const START = Uint8Array.of(0x1f)

/** Finds DV frames: DIF blocks that number themselves. */
export class DvRecogniser extends IntraRecogniser {
  readonly codec = 'dv'
  #size: number

  /** `size` is the bytes of every frame where the container knows it, else 0. */
  constructor(size: number) {
    super()
    this.#size = size
  }

  protected measure(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (!isHeader(reader, offset, 0)) return false
    const sequences = (reader.u8(offset + 3) & 0x80) === 0 ? SEQUENCES_525 : SEQUENCES_625
    const channel = sequences * SEQUENCE
    let channels = 1
    while (channels < MAX_CHANNELS && this.#continues(reader, offset, offset + channels * channel)) channels++
    const size = this.#size > 0 && this.#size % channel === 0 ? this.#size : channels * channel
    if (offset + size > end) return false
    let right = 0
    let checked = 0
    for (let at = offset; at < offset + size; at += SEQUENCE) {
      checked++
      if (isHeader(reader, at, ((at - offset) / SEQUENCE) % sequences)) right++
    }
    if (right * 2 < checked) return false
    unit.length = size
    unit.damaged = right < checked
    unit.evidence = right * BLOCK_EVIDENCE
    return true
  }

  /** Does another channel of the same frame begin at `at`? Its blocks carry another channel number. */
  #continues(reader: ByteReader, offset: number, at: number): boolean {
    return isHeader(reader, at, 0) && (reader.u8(at + 1) & 15) !== (reader.u8(offset + 1) & 15)
  }

  learn(_reader: ByteReader, _offset: number, length: number): void {
    if (length % SEQUENCE === 0) this.#size = length
  }

  search(reader: ByteReader, from: number, end: number): number {
    for (
      let at = searchBytes(reader, from, end, START);
      at < end;
      at = searchBytes(reader, at + 1, end, START)
    ) {
      if (isHeader(reader, at, 0)) return at
    }
    return end
  }
}

/** A header block with the sequence's number, then a subcode and a VAUX block of the same sequence. */
function isHeader(reader: ByteReader, at: number, sequence: number): boolean {
  return (
    isBlock(reader, at, HEADER, sequence, 0) &&
    isBlock(reader, at + BLOCK, SUBCODE, sequence, 0) &&
    isBlock(reader, at + 3 * BLOCK, VAUX, sequence, 0)
  )
}

function isBlock(reader: ByteReader, at: number, type: number, sequence: number, number: number): boolean {
  return reader.u8(at) >> 5 === type && reader.u8(at + 1) >> 4 === sequence && reader.u8(at + 2) === number
}
