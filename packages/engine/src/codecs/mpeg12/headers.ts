import { BitReader } from '../../bytes/bit-reader.ts'

/** A sequence header and its extension, ITU-T H.262 (02/2012) §6.2.2; MPEG-1 has no extension. */
export interface Sequence {
  readonly width: number
  readonly height: number
  readonly frameRateCode: number
  /** Most bits a second, by bit_rate_value. */
  readonly bitRate: number
  readonly mpeg1: boolean
  readonly progressive: boolean
  /** 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  readonly chromaFormat: number
}

/** A picture header and its coding extension, §6.2.3. */
export interface Picture {
  temporalReference: number
  /** 1 I, 2 P, 3 B, 4 D. */
  type: number
  /** f_code[s][t]: forward horizontal and vertical, backward horizontal and vertical. */
  readonly codes: [number, number, number, number]
  /** 1 top field, 2 bottom field, 3 frame. */
  structure: number
  framePredictionOnly: boolean
  concealmentVectors: boolean
  tableOne: boolean
}

export const FRAME = 3

/** picture_coding_type, Table 6-12. */
export const I_PICTURE = 1
export const P_PICTURE = 2
export const B_PICTURE = 3
/** temporal_reference counts modulo this, §6.3.9. */
export const REFERENCE_CYCLE = 1024

/** Pictures a second by frame_rate_code, Table 6-4. */
export const PICTURE_RATES = [0, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60] as const

/** Bits a second of one step of bit_rate_value, §6.3.3. */
const RATE_UNIT = 400

/** Parses the body of a sequence header (behind its start code); undefined when it breaks the syntax. */
export function parseSequence(body: Uint8Array): Sequence | undefined {
  const bits = new BitReader(body)
  const width = bits.bits(12)
  const height = bits.bits(12)
  const aspect = bits.bits(4)
  const frameRateCode = bits.bits(4)
  const rate = bits.bits(18)
  if (bits.bit() === 0 || width === 0 || height === 0) return undefined
  if (aspect === 0 || aspect === 15 || frameRateCode === 0 || frameRateCode > 13 || rate === 0)
    return undefined
  return bits.overrun
    ? undefined
    : {
        ...{ width, height, frameRateCode, bitRate: rate * RATE_UNIT },
        ...{ mpeg1: true, progressive: true, chromaFormat: 1 },
      }
}

/** Adds a sequence extension's body (behind its start code) to its sequence header. */
export function extendSequence(sequence: Sequence, body: Uint8Array): Sequence {
  const bits = new BitReader(body, 4)
  bits.skip(8)
  const progressive = bits.bit() === 1
  const chromaFormat = bits.bits(2)
  const width = sequence.width + bits.bits(2) * 4096
  const height = sequence.height + bits.bits(2) * 4096
  return { ...sequence, mpeg1: false, progressive, chromaFormat: chromaFormat || 1, width, height }
}

export function emptyPicture(): Picture {
  return {
    ...{ temporalReference: 0, type: 1, codes: [1, 1, 1, 1], structure: FRAME },
    ...{ framePredictionOnly: true, concealmentVectors: false, tableOne: false },
  }
}

/** Reads the body of a picture header; false when it breaks the syntax. Resets what only an extension sets. */
export function readPicture(body: Uint8Array, picture: Picture): boolean {
  const bits = new BitReader(body)
  picture.temporalReference = bits.bits(10)
  picture.type = bits.bits(3)
  if (picture.type < 1 || picture.type > 4) return false
  bits.skip(16)
  picture.structure = FRAME
  picture.framePredictionOnly = true
  picture.concealmentVectors = false
  picture.tableOne = false
  picture.codes.fill(1)
  if (picture.type === 2 || picture.type === 3) {
    bits.skip(1)
    picture.codes.fill(bits.bits(3), 0, 2)
  }
  if (picture.type === 3) {
    bits.skip(1)
    picture.codes.fill(bits.bits(3), 2, 4)
  }
  return !bits.overrun
}

/** Reads the body of a picture coding extension; false when it breaks the syntax. */
export function extendPicture(body: Uint8Array, picture: Picture): boolean {
  const bits = new BitReader(body, 4)
  for (let i = 0; i < 4; i++) picture.codes[i] = bits.bits(4)
  bits.skip(2)
  picture.structure = bits.bits(2)
  bits.skip(1)
  picture.framePredictionOnly = bits.bit() === 1
  picture.concealmentVectors = bits.bit() === 1
  bits.skip(1)
  picture.tableOne = bits.bit() === 1
  return picture.structure !== 0 && !bits.overrun
}

/** Macroblock rows of a picture, §6.3.3. */
export function rowsOf(sequence: Sequence, picture: Pick<Picture, 'structure'>): number {
  if (sequence.mpeg1 || sequence.progressive) return Math.ceil(sequence.height / 16)
  const fieldRows = Math.ceil(sequence.height / 32)
  return picture.structure === FRAME ? fieldRows * 2 : fieldRows
}
