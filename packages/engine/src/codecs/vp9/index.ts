import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../index.ts'
import { FramedRecogniser, type FrameSight } from '../intra/framed-recogniser.ts'
import { searchBytes } from '../search-bytes.ts'

/** frame_sync_code, VP9 Bitstream & Decoding Process Specification v0.6 §7.2. */
const SYNC_CODE = 0x498342
const SYNC_BYTES = Uint8Array.of(0x49, 0x83, 0x42)
const RGB = 7

/** Reads the beginning of an uncompressed header, §6.2. */
function sight(
  reader: ByteReader,
  offset: number,
  end: number,
  width: number,
  height: number,
): FrameSight | undefined {
  const bits = new BitReader(reader.bytes(offset, Math.min(end - offset, 16)))
  if (bits.bits(2) !== 2) return undefined
  const profile = bits.bit() + 2 * bits.bit()
  if (profile === 3 && bits.bit() === 1) return undefined
  if (bits.bit() === 1) return { key: false, shown: true, evidence: 1 }
  const key = bits.bit() === 0
  const shown = bits.bit() === 1
  bits.skip(1)
  if (!key) return bits.overrun ? undefined : { key, shown, evidence: 2 }
  if (bits.bits(24) !== SYNC_CODE) return undefined
  if (profile >= 2) bits.skip(1)
  const colours = bits.bits(3)
  if (colours !== RGB) bits.skip(profile === 1 || profile === 3 ? 4 : 1)
  else if (profile === 1 || profile === 3) bits.skip(1)
  const w = bits.bits(16) + 1
  const h = bits.bits(16) + 1
  if (bits.overrun) return undefined
  return { key, shown, evidence: 28 + (w === width && h === height ? 24 : 0) }
}

/** Google VP9. Frames carry no length: their container's blocks do. */
export const vp9: Codec = {
  name: 'vp9',
  recogniser(track: TrackDescription): FramedRecogniser {
    const { width = 0, height = 0 } = track
    return new FramedRecogniser(
      'vp9',
      (reader, offset, end) => sight(reader, offset, end, width, height),
      (reader, from, end) => Math.min(end, searchBytes(reader, from + 1, end + 1, SYNC_BYTES) - 1),
    )
  },
}
