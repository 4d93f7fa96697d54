import type { ByteReader } from '../../bytes/reader.ts'
import { searchBytes } from '../search-bytes.ts'

/** What an encoder says of itself in a message before its first picture, as far as parameter sets depend on it. */
export interface EncoderNote {
  /** References of a P slice that does not count its own. */
  readonly references: number
  /** Frames kept for reference. */
  readonly frames: number
  /** weighted_bipred_idc. */
  readonly weightedBipred: number
  readonly chromaQpOffset: number
  readonly cabac: boolean
  readonly transform8x8: boolean
  /** Pictures are coded as two fields, or may be. */
  readonly interlaced: boolean
  readonly bitDepth: 8 | 10
  /** 26 + pic_init_qp_minus26. */
  readonly initQp: number
}

/** Bytes before the first slice found that are searched for the note: the key picture it belongs to may lie between. */
const REACH = 1 << 18
const MAX_NOTE = 1024
/** Largest quantiser of the encoder for pictures of 10 bits, where it was not told another: QpBdOffset and 18 above 51. */
const LARGEST_OF_10_BITS = 81
/** Quantiser that pictures start from where bit rate is what counts. */
const USUAL_QP = 26
/** 'x264 - core' */
const MARK = Uint8Array.of(0x78, 0x32, 0x36, 0x34, 0x20, 0x2d, 0x20, 0x63, 0x6f, 0x72, 0x65)

/** Reads the options that the x264 encoder writes into its stream, as text, before the picture at `offset`. */
export function readEncoderNote(reader: ByteReader, offset: number): EncoderNote | undefined {
  const from = Math.max(0, offset - REACH)
  const at = searchBytes(reader, from, offset, MARK)
  if (at >= offset) return undefined
  const options = String.fromCharCode(...reader.bytes(at, MAX_NOTE))
  const value = (name: string, otherwise: number): number => {
    const match = new RegExp(` ${name}=(-?\\d+)`).exec(options)
    return match ? Number(match[1]) : otherwise
  }
  const bitDepth = value('qpmax', 0) === LARGEST_OF_10_BITS ? 10 : 8
  const rateControl = / rc=(\w+)/.exec(options)?.[1]
  const references = value('ref', 1)
  const pyramid = value('b_pyramid', 0) > 0 ? 4 : value('bframes', 0) > 0 ? 2 : 1
  return {
    references,
    frames: Math.min(16, Math.max(references, pyramid)),
    weightedBipred: value('weightb', 0) > 0 ? 2 : 0,
    chromaQpOffset: value('chroma_qp_offset', 0),
    cabac: value('cabac', 1) > 0,
    transform8x8: value('8x8dct', 0) > 0,
    interlaced: /interlaced=(?!0)/.test(options),
    bitDepth,
    initQp:
      rateControl === 'crf'
        ? value('crf', USUAL_QP)
        : rateControl === 'cqp'
          ? value('qp', USUAL_QP)
          : USUAL_QP,
  }
}
