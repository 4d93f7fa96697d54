import { Vlc, vlcOf } from './vlc.ts'

/** Macroblock types, ITU-T H.263 (01/2005) Table 9. */
export const MB_INTER = 0
export const MB_INTER_Q = 1
export const MB_INTER_4V = 2
export const MB_INTRA = 3
export const MB_INTRA_Q = 4
export const MB_INTER_4V_Q = 5

/** Value of the stuffing code in place of a macroblock type. */
export const STUFFING = 31

/** MCBPC values: macroblock type times four plus the two chrominance bits. */
function mcbpc(types: readonly (readonly [type: number, codes: string])[]): Vlc {
  const codes: [string, number][] = [['000000001', STUFFING]]
  for (const [type, list] of types)
    list.split(' ').forEach((code, cbpc) => {
      codes.push([code, type * 4 + cbpc])
    })
  return new Vlc(codes)
}

/** H.263 Table 7, pictures without prediction. */
export const MCBPC_INTRA: Vlc = mcbpc([
  [MB_INTRA, '1 001 010 011'],
  [MB_INTRA_Q, '0001 000001 000010 000011'],
])

/** H.263 Table 8, predicted pictures. */
export const MCBPC_INTER: Vlc = mcbpc([
  [MB_INTER, '1 0011 0010 000101'],
  [MB_INTER_Q, '011 0000111 0000110 000000101'],
  [MB_INTER_4V, '010 0000101 0000100 00000101'],
  [MB_INTRA, '00011 00000100 00000011 0000011'],
  [MB_INTRA_Q, '000100 000000100 000000011 000000010'],
  [MB_INTER_4V_Q, '00000000010 0000000001100 0000000001110 0000000001111'],
])

/** H.263 Table 13: luminance blocks with coefficients, as intra macroblocks count them; inter ones complement it. */
export const CBPY: Vlc = vlcOf(
  '0011 00101 00100 1001 00011 0111 000010 1011 00010 000011 0101 1010 0100 1000 0110 11',
)

/** H.263 Table 14, magnitudes of motion vector differences without their sign. */
export const MOTION: Vlc = vlcOf(`1 01 001 0001 000011 0000101 0000100 0000011 000001011 000001010 000001001
  0000010001 0000010000 0000001111 0000001110 0000001101 0000001100 0000001011 0000001010 0000001001 0000001000
  0000000111 0000000110 0000000101 0000000100 00000000111 00000000110 00000000101 00000000100 00000000011 00000000010
  000000000011 000000000010`)
