import { ByteReader } from '../../../../bytes/reader.ts'
import { MemorySource } from '../../../../bytes/source.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { Unit } from '../../../../codecs/recogniser.ts'
import { readBox } from '../../../../syntax/iso-boxes/box.ts'
import { parseElementaryStream } from '../../boxes/esds.ts'
import { namesCodec, objectTypesOf } from '../../read/codec-names.ts'
import type { MovieTrack } from '../../read/movie.ts'

const ESDS = [0x65, 0x73, 0x64, 0x73]

/**
 * The track with another's objectTypeIndication (ISO/IEC 14496-1:2010 §7.2.6.6) where its own names no codec, one bit from the
 * other's: players refuse such a track, whose configuration is whole. Undefined for others.
 */
export function withObjectTypeOf(track: MovieTrack, other: MovieTrack): MovieTrack | undefined {
  if (track.description.codec !== other.description.codec) return undefined
  const own = objectTypeOf(track.sampleDescription)
  const right = objectTypeOf(other.sampleDescription)
  if (!own || !right || namesCodec(own.value) || !namesCodec(right.value)) return undefined
  return isBitAway(own.value, right.value) ? withObjectType(track, own, right.value) : undefined
}

/** Samples that must read as their codec's, one behind another. */
const SAMPLES = 8

/**
 * The track with the objectTypeIndication of the codec that its samples read as, where its own names none and is one bit from
 * that. Undefined for others.
 */
export function withObjectTypeOfSamples(reader: ByteReader, track: MovieTrack): MovieTrack | undefined {
  const { description, samples } = track
  const own = objectTypeOf(track.sampleDescription)
  if (!own || namesCodec(own.value)) return undefined
  const [right, ...others] = objectTypesOf(description.codec).filter((type) => isBitAway(own.value, type))
  const recogniser = codecNamed(description.codec)?.recogniser(description)
  if (right === undefined || others.length > 0 || !recogniser || samples.length === 0) return undefined
  const unit = new Unit()
  for (let row = 0; row < Math.min(samples.length, SAMPLES); row++) {
    const [offset, size] = [samples.offset[row], samples.size[row]]
    if (!recogniser.recognise(reader, offset, Math.min(offset + size, reader.size), unit)) return undefined
    if (unit.length !== size) return undefined
  }
  return withObjectType(track, own, right)
}

function isBitAway(a: number, b: number): boolean {
  const difference = a ^ b
  return (difference & (difference - 1)) === 0
}

function withObjectType(
  track: MovieTrack,
  own: { readonly value: number; readonly at: number },
  right: number,
): MovieTrack {
  return {
    ...track,
    sampleDescription: withByte(track.sampleDescription, own.at, right),
    entries: track.entries.map((entry) => {
      const stream = objectTypeOf(entry.bytes)
      return stream?.value === own.value
        ? { ...entry, bytes: withByte(entry.bytes, stream.at, right) }
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
