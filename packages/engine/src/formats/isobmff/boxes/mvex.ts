import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'

/** Track extends box, ISO/IEC 14496-12:2022 §8.8.3: what fragments of a track leave unsaid. */
export interface TrackExtends {
  readonly track: number
  readonly description: number
  readonly duration: number
  readonly size: number
  readonly flags: number
}

export function parseTrackExtends(reader: ByteReader, box: Box): TrackExtends | undefined {
  const at = bodyOf(box) + 4
  if (at + 20 > box.end) return undefined
  return {
    track: reader.u32(at),
    description: reader.u32(at + 4),
    duration: reader.u32(at + 8),
    size: reader.u32(at + 12),
    flags: reader.u32(at + 16),
  }
}

export function writeTrackExtends(writer: BoxWriter, extend: TrackExtends): void {
  writer.fullBox('trex', 0, 0, () => {
    writer.u32(extend.track)
    writer.u32(extend.description)
    writer.u32(extend.duration)
    writer.u32(extend.size)
    writer.u32(extend.flags)
  })
}

/** `sample_is_non_sync_sample` of sample flags, ISO/IEC 14496-12:2022 §8.8.3.1. */
export function isNonSync(flags: number): boolean {
  return (flags & 0x0001_0000) !== 0
}
