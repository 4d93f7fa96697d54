import { BitReader } from '../../../bytes/bit-reader.ts'
import type { SequenceHeader } from './sequence-header.ts'

/** frame_type, AV1 specification §6.8.2. */
export const KEY_FRAME = 0
const SWITCH_FRAME = 3
const EACH_FRAME = 2

/** The beginning of a frame header, §5.9.2. */
export interface FrameHeader {
  showsExisting: boolean
  type: number
  shown: boolean
  orderHint: number
  /** Bits that are the same in every header that shows an existing frame, those of its size included; 0 for other headers. */
  fixedBits: number
}

export function emptyFrame(): FrameHeader {
  return { showsExisting: false, type: KEY_FRAME, shown: true, orderHint: 0, fixedBits: 0 }
}

/**
 * Reads the beginning of a frame header, all of one that shows an existing frame; false when the bytes are too few or break the
 * syntax.
 */
export function readFrameHeader(payload: Uint8Array, sequence: SequenceHeader, frame: FrameHeader): boolean {
  const bits = new BitReader(payload)
  frame.fixedBits = 0
  frame.showsExisting = false
  frame.type = KEY_FRAME
  frame.shown = true
  frame.orderHint = 0
  if (sequence.reduced) return payload.length > 0
  frame.showsExisting = bits.bit() === 1
  if (frame.showsExisting) return readShownAgain(bits, sequence, frame)
  frame.type = bits.bits(2)
  frame.shown = bits.bit() === 1
  if (!frame.shown) bits.skip(1)
  else if (sequence.decoderModel && !sequence.equalPictureInterval) bits.skip(sequence.presentationTimeBits)
  if (frame.type !== SWITCH_FRAME && !(frame.type === KEY_FRAME && frame.shown)) bits.skip(1)
  bits.skip(1)
  const screen = sequence.screenContent === EACH_FRAME ? bits.bit() : sequence.screenContent
  if (screen === 1 && sequence.integerVectors === EACH_FRAME) bits.skip(1)
  bits.skip(sequence.frameIdBits)
  if (frame.type !== SWITCH_FRAME) bits.skip(1)
  frame.orderHint = bits.bits(sequence.orderHintBits)
  return !bits.overrun
}

/** frame_to_show_map_idx, §5.9.2. */
const MAP_INDEX_BITS = 3
/** obu_size, which is the least that holds the header. */
const SIZE_BITS = 8

/** The rest of a header that shows an existing frame, with the trailing bits that fill its OBU (§5.3.4). */
function readShownAgain(bits: BitReader, sequence: SequenceHeader, frame: FrameHeader): boolean {
  bits.skip(MAP_INDEX_BITS)
  if (sequence.decoderModel && !sequence.equalPictureInterval) bits.skip(sequence.presentationTimeBits)
  bits.skip(sequence.frameIdBits)
  const trailing = bits.left
  if (trailing <= 0 || bits.bit() !== 1) return false
  while (bits.left > 0) if (bits.bit() !== 0) return false
  frame.fixedBits = trailing <= 8 ? 1 + trailing + SIZE_BITS : 0
  return true
}
