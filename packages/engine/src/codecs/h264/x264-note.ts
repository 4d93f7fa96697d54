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
}

/** Bytes before the first slice found that are searched for the note: the key picture it belongs to may lie between. */
const REACH = 1 << 18
const MAX_NOTE = 1024
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
  const references = value('ref', 1)
  const pyramid = value('b_pyramid', 0) > 0 ? 4 : value('bframes', 0) > 0 ? 2 : 1
  return {
    references,
    frames: Math.min(16, Math.max(references, pyramid)),
    weightedBipred: value('weightb', 0) > 0 ? 2 : 0,
    chromaQpOffset: value('chroma_qp_offset', 0),
  }
}
