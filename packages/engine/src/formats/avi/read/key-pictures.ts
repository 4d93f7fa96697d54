import type { ByteReader } from '../../../bytes/reader.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { type Headers, readHeaders } from '../../../codecs/mpeg4/headers.ts'
import { VOP_I } from '../../../codecs/mpeg4/vop-header.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { TrackDescription } from '../../../model/track.ts'

/** Tells key pictures by their beginnings. */
export type KeyTest = (offset: number, size: number) => boolean

/** Codecs whose pictures depend on others; those of all other codecs stand for themselves. */
const DEPENDENT: ReadonlySet<string> = new Set([
  ...['h264', 'hevc', 'h263', 'mpeg1video', 'mpeg2video', 'vp8', 'vp9', 'av1'],
  ...['msmpeg4v1', 'msmpeg4v2', 'msmpeg4v3', 'wmv1', 'wmv2', 'wmv3', 'vc1'],
])

/** A test of a track's pictures, where no index says which are keys. */
export function keyTest(reader: ByteReader, track: TrackDescription): KeyTest {
  if (track.codec === 'mpeg4') {
    const headers: Headers = { plane: 0, layer: undefined, groupSeconds: -1, first: 0, evidence: 0 }
    return (offset, size) =>
      readHeaders(reader, offset, offset + size, headers) && reader.u8(headers.plane) >> 6 === VOP_I
  }
  if (!DEPENDENT.has(track.codec)) return () => true
  const recogniser = codecNamed(track.codec)?.recogniser(track)
  const unit = new Unit()
  return (offset, size) => {
    if (size === 0 || !recogniser?.recognise(reader, offset, offset + size, unit)) return false
    const key = unit.key
    recogniser.accept(reader, offset, unit)
    return key
  }
}
