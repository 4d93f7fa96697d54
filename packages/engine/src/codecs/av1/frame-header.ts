import { BitReader } from '../../bytes/bit-reader.ts'
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
}

export function emptyFrame(): FrameHeader {
  return { showsExisting: false, type: KEY_FRAME, shown: true, orderHint: 0 }
}

/** Reads the beginning of a frame header; false when the bytes are too few. */
export function readFrameHeader(payload: Uint8Array, sequence: SequenceHeader, frame: FrameHeader): boolean {
  const bits = new BitReader(payload)
  frame.showsExisting = false
  frame.type = KEY_FRAME
  frame.shown = true
  frame.orderHint = 0
  if (sequence.reduced) return payload.length > 0
  frame.showsExisting = bits.bit() === 1
  if (frame.showsExisting) return !bits.overrun
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
