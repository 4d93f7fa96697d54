import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { parseSequenceHeader, type SequenceHeader } from './headers/sequence-header.ts'
import { Av1Recogniser } from './recogniser.ts'
import { StreamReader } from './stream-reader.ts'
import { SEQUENCE_HEADER } from './temporal-unit.ts'

/** Fixed part of an `av1C` record, AV1 Codec ISO Media File Format Binding §2.3.3; OBUs follow it. */
const RECORD_BYTES = 4

/** The sequence header OBU of an `av1C` record or of bare OBUs. */
function sequenceOf(config: Uint8Array): SequenceHeader | undefined {
  const start = config[0] === 0x81 ? RECORD_BYTES : 0
  const reader = new ByteReader(new MemorySource(config))
  const header = reader.u8(start)
  const size = reader.u8(start + 1)
  // sequence headers stay below 128 bytes, so that their size is one byte
  if (header >> 3 !== SEQUENCE_HEADER || (header & 6) !== 2 || size > 127) return undefined
  return parseSequenceHeader(config.subarray(start + 2, start + 2 + size))
}

/** AOMedia AV1 in the low-overhead format of MP4 and Matroska. */
export const av1: Codec = {
  name: 'av1',
  recogniser(track: TrackDescription): Av1Recogniser {
    return new Av1Recogniser(sequenceOf(track.config))
  },
  pictureReader: (track: TrackDescription) => new StreamReader(sequenceOf(track.config)),
}
