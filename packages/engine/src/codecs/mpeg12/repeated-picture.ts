import { BitWriter } from '../../bytes/bit-writer.ts'
import { B_PICTURE, FRAME, P_PICTURE, REFERENCE_CYCLE, rowsOf, type Sequence } from './headers.ts'
import { ESCAPE_CODE, INCREMENT_CODES } from './increment-codes.ts'
import { TALL } from './slice.ts'
import { EXTENSION, PICTURE, PICTURE_EXTENSION } from './unit-walker.ts'

/** vbv_delay of a variable rate, ITU-T H.262 (02/2012) §6.3.9. */
const ANY_DELAY = 0xffff
/** A macroblock predicted from the picture before without motion or coefficients, Tables B.3, B.4 and B.10. */
const COPIED = { [P_PICTURE]: '00111', [B_PICTURE]: '001011' } as const
const ESCAPED = 33
const UNUSED_CODE = 15

/**
 * A picture that shows once more what is shown before it: first and last macroblock of each slice are copied, those between are
 * skipped. As a P picture it is what others refer to, as a B picture it is not. `reference` is its temporal_reference.
 */
export function repeatedPicture(
  sequence: Sequence,
  type: typeof P_PICTURE | typeof B_PICTURE,
  reference: number,
): Uint8Array {
  const bits = new BitWriter()
  startCode(bits, PICTURE)
  bits.bits(((reference % REFERENCE_CYCLE) + REFERENCE_CYCLE) % REFERENCE_CYCLE, 10)
  bits.bits(type, 3)
  bits.bits(ANY_DELAY, 16)
  // full_pel vectors and f_code, which MPEG-2 says farther behind
  const code = sequence.mpeg1 ? 1 : 7
  for (let direction = P_PICTURE; direction <= type; direction++) bits.bits(code, 4)
  bits.bit(0)
  align(bits)
  if (!sequence.mpeg1) codingExtension(bits, sequence, type)
  const columns = Math.ceil(sequence.width / 16)
  const rows = rowsOf(sequence, { structure: FRAME })
  for (let row = 1; row <= rows; row++) slice(bits, sequence, type, row, columns)
  return bits.bytes()
}

/** picture_coding_extension of a frame, §6.2.3.1. */
function codingExtension(bits: BitWriter, { chromaFormat }: Sequence, type: number): void {
  startCode(bits, EXTENSION)
  bits.bits(PICTURE_EXTENSION, 4)
  for (const used of [true, true, type === B_PICTURE, type === B_PICTURE])
    bits.bits(used ? 1 : UNUSED_CODE, 4)
  bits.bits(0, 2)
  bits.bits(FRAME, 2)
  // top_field_first, frame_pred_frame_dct, four coding choices, repeat_first_field
  bits.bits(0b0100000, 7)
  // chroma_420_type, progressive_frame, composite_display_flag
  bits.bits(chromaFormat === 1 ? 0b110 : 0b010, 3)
  align(bits)
}

function slice(
  bits: BitWriter,
  { height }: Sequence,
  type: typeof P_PICTURE | typeof B_PICTURE,
  row: number,
  columns: number,
): void {
  const isTall = height > TALL
  startCode(bits, isTall ? ((row - 1) % 128) + 1 : row)
  if (isTall) bits.bits((row - 1) >> 7, 3)
  // quantiser_scale_code, extra_bit_slice
  bits.bits(0b000010, 6)
  write(bits, INCREMENT_CODES[0] + COPIED[type])
  if (columns > 1) {
    let increment = columns - 1
    for (; increment > ESCAPED; increment -= ESCAPED) write(bits, ESCAPE_CODE)
    write(bits, INCREMENT_CODES[increment - 1] + COPIED[type])
  }
  align(bits)
}

function startCode(bits: BitWriter, value: number): void {
  bits.bits(0x100 + value, 32)
}

function write(bits: BitWriter, code: string): void {
  for (const bit of code) bits.bit(bit === '1' ? 1 : 0)
}

function align(bits: BitWriter): void {
  while (bits.length % 8 !== 0) bits.bit(0)
}
