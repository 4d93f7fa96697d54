import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../index.ts'
import { FramedRecogniser, type FrameSight } from '../intra/framed-recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** Start code of key frames, RFC 6386 §9.1. */
const START_CODE = Uint8Array.of(0x9d, 0x01, 0x2a)
const TAG_BYTES = 3

/** Reads a frame tag, RFC 6386 §9.1: key frame flag, version, show flag, size of the first partition. */
function sight(
  reader: ByteReader,
  offset: number,
  end: number,
  width: number,
  height: number,
): FrameSight | undefined {
  const tag = reader.u8(offset) | (reader.u8(offset + 1) << 8) | (reader.u8(offset + 2) << 16)
  const key = (tag & 1) === 0
  const firstPartition = tag >> 5
  if (((tag >> 1) & 7) > 3) return undefined
  const head = TAG_BYTES + (key ? 7 : 0)
  if (firstPartition === 0 || offset + head + firstPartition > end) return undefined
  const shown = (tag & 16) !== 0
  if (!key) return { key, shown, evidence: 1 }
  if (START_CODE.some((byte, index) => reader.u8(offset + TAG_BYTES + index) !== byte)) return undefined
  const w = reader.u16le(offset + 6) & 0x3fff
  const h = reader.u16le(offset + 8) & 0x3fff
  if (w === 0 || h === 0) return undefined
  return { key, shown, evidence: 24 + (w === width && h === height ? 20 : 0) }
}

/** On2 VP8, RFC 6386. Frames carry no length: their container's blocks do. */
export const vp8: Codec = {
  name: 'vp8',
  recogniser(track: TrackDescription): FramedRecogniser {
    const { width = 0, height = 0 } = track
    return new FramedRecogniser(
      'vp8',
      (reader, offset, end) => sight(reader, offset, end, width, height),
      (reader, from, end) =>
        Math.min(end, searchBytes(reader, from + TAG_BYTES, end + TAG_BYTES, START_CODE) - TAG_BYTES),
    )
  },
}
