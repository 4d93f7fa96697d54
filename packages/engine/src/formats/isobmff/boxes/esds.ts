import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'

/** Elementary stream descriptor, ISO/IEC 14496-1:2010 §7.2.6.5, as far as it names the codec. */
export interface ElementaryStream {
  /** objectTypeIndication, e.g. 0x40 for MPEG-4 audio. */
  readonly objectType: number
  /** Offset of its byte. */
  readonly objectTypeAt: number
  /** DecoderSpecificInfo: AudioSpecificConfig, visual object headers; empty when absent. */
  readonly specific: Uint8Array
}

const ES_DESCRIPTOR = 3
const DECODER_CONFIG = 4
const DECODER_SPECIFIC = 5
/** Largest DecoderSpecificInfo kept; real ones have 2 to a few hundred bytes. */
const MAX_SPECIFIC = 64 * 1024

/** Reads the descriptors of an `esds` box; undefined when no DecoderConfigDescriptor is found. */
export function parseElementaryStream(reader: ByteReader, box: Box): ElementaryStream | undefined {
  let at = bodyOf(box) + 4
  const top = descriptor(reader, at, box.end)
  if (!top) return undefined
  if (top.tag === ES_DESCRIPTOR) {
    at = top.start + 3
    const flags = reader.u8(top.start + 2)
    if (flags & 0x80) at += 2
    if (flags & 0x40) at += 1 + reader.u8(at)
    if (flags & 0x20) at += 2
  }
  const config = descriptor(reader, at, box.end)
  if (config?.tag !== DECODER_CONFIG || config.start + 13 > box.end) return undefined
  const objectType = reader.u8(config.start)
  const specific = descriptor(reader, config.start + 13, box.end)
  const found = specific?.tag === DECODER_SPECIFIC ? specific : undefined
  const length = found ? Math.min(found.length, box.end - found.start, MAX_SPECIFIC) : 0
  const objectTypeAt = config.start
  return {
    objectType,
    objectTypeAt,
    specific: found ? reader.bytes(found.start, length).slice() : new Uint8Array(0),
  }
}

/** Tag and length of one descriptor; the length takes 1 to 4 bytes of 7 bits, ISO/IEC 14496-1:2010 §8.3.3. */
function descriptor(
  reader: ByteReader,
  offset: number,
  end: number,
): { tag: number; start: number; length: number } | undefined {
  if (offset + 2 > end) return undefined
  let length = 0
  let at = offset + 1
  for (let i = 0; i < 4 && at < end; i++) {
    const byte = reader.u8(at++)
    length = length * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) break
  }
  return { tag: reader.u8(offset), start: at, length }
}
