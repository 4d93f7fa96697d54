import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { readBox } from '../boxes/box.ts'
import { parseElementaryStream } from '../boxes/esds.ts'
import { namesCodec } from '../codec-names.ts'
import type { MovieTrack } from '../movie.ts'

const ESDS = [0x65, 0x73, 0x64, 0x73]

/**
 * The track with another's objectTypeIndication (ISO/IEC 14496-1:2010 §7.2.6.6) where its own names no codec, one bit from the other's:
 * players refuse such a track, whose configuration is whole. Undefined for others.
 */
export function withObjectTypeOf(track: MovieTrack, other: MovieTrack): MovieTrack | undefined {
  if (track.description.codec !== other.description.codec) return undefined
  const own = objectTypeOf(track.sampleDescription)
  const right = objectTypeOf(other.sampleDescription)
  if (!own || !right || namesCodec(own.value) || !namesCodec(right.value)) return undefined
  const difference = own.value ^ right.value
  if ((difference & (difference - 1)) !== 0) return undefined
  return {
    ...track,
    sampleDescription: withByte(track.sampleDescription, own.at, right.value),
    entries: track.entries.map((entry) => {
      const stream = objectTypeOf(entry.bytes)
      return stream?.value === own.value
        ? { ...entry, bytes: withByte(entry.bytes, stream.at, right.value) }
        : entry
    }),
  }
}

/** The first objectTypeIndication of a sample entry, or of a box around one, and where it is. */
function objectTypeOf(bytes: Uint8Array): { readonly value: number; readonly at: number } | undefined {
  const type = bytes.findIndex((_, at) => ESDS.every((byte, i) => bytes[at + i] === byte))
  const reader = new ByteReader(new MemorySource(bytes))
  const box = type < 4 ? undefined : readBox(reader, type - 4, bytes.length)
  const stream = box && parseElementaryStream(reader, box)
  return stream && { value: stream.objectType, at: stream.objectTypeAt }
}

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice()
  copy[at] = value
  return copy
}
