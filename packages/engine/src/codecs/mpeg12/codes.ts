import { Vlc, vlcOf } from '../vlc/vlc.ts'
import { ESCAPE_CODE, INCREMENT_CODES } from './increment-codes.ts'

/** Values beside the increments 1 to 33 of Table B.1. */
export const INCREMENT_ESCAPE = 34
export const INCREMENT_STUFFING = 35

/** macroblock_address_increment, ITU-T H.262 (02/2012) Table B.1; the stuffing code is MPEG-1's. */
export const INCREMENT: Vlc = new Vlc([
  ...INCREMENT_CODES.map((code, index) => [code, index + 1] as const),
  [ESCAPE_CODE, INCREMENT_ESCAPE],
  ['00000001111', INCREMENT_STUFFING],
])

/** Flags of a macroblock type. */
export const QUANT = 1
export const FORWARD = 2
export const BACKWARD = 4
export const PATTERN = 8
export const INTRA = 16

/** macroblock_type by picture_coding_type (1 I, 2 P, 3 B, 4 D), Tables B.2 to B.4. */
export const MACROBLOCK_TYPE: readonly (Vlc | undefined)[] = [
  undefined,
  new Vlc([
    ['1', INTRA],
    ['01', INTRA | QUANT],
  ]),
  new Vlc([
    ['1', FORWARD | PATTERN],
    ['01', PATTERN],
    ['001', FORWARD],
    ['00011', INTRA],
    ['00010', FORWARD | PATTERN | QUANT],
    ['00001', PATTERN | QUANT],
    ['000001', INTRA | QUANT],
  ]),
  new Vlc([
    ['10', FORWARD | BACKWARD],
    ['11', FORWARD | BACKWARD | PATTERN],
    ['010', BACKWARD],
    ['011', BACKWARD | PATTERN],
    ['0010', FORWARD],
    ['0011', FORWARD | PATTERN],
    ['00011', INTRA],
    ['00010', FORWARD | BACKWARD | PATTERN | QUANT],
    ['000011', FORWARD | PATTERN | QUANT],
    ['000010', BACKWARD | PATTERN | QUANT],
    ['000001', INTRA | QUANT],
  ]),
  new Vlc([['1', INTRA]]),
]

/** coded_block_pattern, Table B.9. */
export const BLOCK_PATTERN: Vlc =
  vlcOf(`000000001 01011 01001 001101 1101 0010111 0010011 00011111 1100 0010110 0010010
  00011110 10011 00011011 00010111 00010011 1011 0010101 0010001 00011101 10001 00011001 00010101 00010001 001111
  00001111 00001101 000000011 01111 00001011 00000111 000000111 1010 0010100 0010000 00011100 001110 00001110 00001100
  000000010 10000 00011000 00010100 00010000 01110 00001010 00000110 000000110 10010 00011010 00010110 00010010 01101
  00001001 00000101 000000101 01100 00001000 00000100 000000100 111 01010 01000 001100`)

/** motion_code magnitudes, Table B.10, without their sign. */
export const MOTION: Vlc =
  vlcOf(`1 01 001 0001 000011 0000101 0000100 0000011 000001011 000001010 000001001 0000010001
  0000010000 0000001111 0000001110 0000001101 0000001100`)

/** dct_dc_size_luminance and dct_dc_size_chrominance, Tables B.12 and B.13. */
export const DC_LUMINANCE: Vlc = vlcOf(
  '100 00 01 101 110 1110 11110 111110 1111110 11111110 111111110 111111111',
)
export const DC_CHROMINANCE: Vlc = vlcOf(
  '00 01 10 110 1110 11110 111110 1111110 11111110 111111110 1111111110 1111111111',
)
