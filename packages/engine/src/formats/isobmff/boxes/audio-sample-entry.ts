import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'

/**
 * Fields of an audio sample entry: ISO/IEC 14496-12:2022 §12.2.3 and the sound descriptions of version 0, 1 and 2 in
 * the QuickTime File Format.
 */
export interface AudioEntry {
  /** Layout: 0 plain, 1 and 2 QuickTime's extensions. */
  readonly version: 0 | 1 | 2
  readonly channels: number
  /** Bits of one sample of one channel, as the entry says. */
  readonly bits: number
  /** Hz; 0 when the entry does not say. */
  readonly rate: number
  /** Sample frames in one packet of all channels; 0 when unknown. */
  readonly packetSamples: number
  /** Bytes of one packet of all channels; 0 when unknown. */
  readonly packetBytes: number
  /** Version 2: formatSpecificFlags of linear PCM. */
  readonly lpcmFlags: number
}

/** Version 2 puts 3 into the channel count and 0x7f000000 beside it, as a marker. */
const V2_MARK = 0x7f00_0000

/**
 * Reads the fixed part; `children` is the offset of the boxes behind it. Version 1 of an `stsd` of version 1 is
 * ISO's own entry without QuickTime's fields. Undefined when the fixed part is cut.
 */
export function parseAudioEntry(
  reader: ByteReader,
  box: Box,
  descriptionVersion: number,
): { entry: AudioEntry; children: number } | undefined {
  const at = bodyOf(box)
  if (at + 28 > box.end) return undefined
  const version = descriptionVersion === 0 ? reader.u16(at + 8) : 0
  if (version === 2 && at + 64 <= box.end && reader.u32(at + 44) === V2_MARK)
    return parseVersion2(reader, box)
  const plain = {
    channels: reader.u16(at + 16),
    bits: reader.u16(at + 18),
    rate: reader.u32(at + 24) / 65536,
    lpcmFlags: 0,
  }
  if (version === 1 && at + 44 <= box.end) {
    const entry = {
      ...plain,
      version: 1 as const,
      packetSamples: reader.u32(at + 28),
      packetBytes: reader.u32(at + 36),
    }
    return { entry, children: at + 44 }
  }
  return { entry: { ...plain, version: 0, packetSamples: 0, packetBytes: 0 }, children: at + 28 }
}

function parseVersion2(reader: ByteReader, box: Box): { entry: AudioEntry; children: number } {
  const at = bodyOf(box)
  const rate = new DataView(reader.bytes(at + 32, 8).slice().buffer).getFloat64(0)
  const struct = reader.u32(at + 28)
  const children = struct >= 72 && struct <= box.end - box.offset ? box.offset + struct : at + 64
  const entry = {
    version: 2 as const,
    channels: reader.u32(at + 40),
    bits: reader.u32(at + 48),
    rate: Number.isFinite(rate) && rate > 0 && rate < 1e7 ? rate : 0,
    packetBytes: reader.u32(at + 56),
    packetSamples: reader.u32(at + 60),
    lpcmFlags: reader.u32(at + 52),
  }
  return { entry, children }
}
