import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { splitStartCodes } from '../nal/start-code.ts'
import { extendSequence, parseSequence, type Sequence } from './headers.ts'
import { Mpeg12Recogniser } from './recogniser.ts'

const SEQUENCE_HEADER = 0xb3
const EXTENSION = 0xb5
const SEQUENCE_EXTENSION = 1

/** The sequence header of a codec configuration (`esds` specific information), where there is one. */
function sequenceOf(config: Uint8Array): Sequence | undefined {
  let sequence: Sequence | undefined
  for (const part of splitStartCodes(config)) {
    const body = part.subarray(1)
    if (part[0] === SEQUENCE_HEADER) sequence = parseSequence(body)
    else if (part[0] === EXTENSION && sequence && body[0] >> 4 === SEQUENCE_EXTENSION) {
      sequence = extendSequence(sequence, body)
    }
  }
  return sequence
}

function codecOf(name: string): Codec {
  return {
    name,
    recogniser(track: TrackDescription): Mpeg12Recogniser {
      return new Mpeg12Recogniser(name, track.width ?? 0, sequenceOf(track.config))
    },
  }
}

/** ITU-T H.262 / ISO/IEC 13818-2: HDV, XDCAM, DVD, broadcast. */
export const mpeg2video: Codec = codecOf('mpeg2video')

/** ISO/IEC 11172-2: Video CD and early cameras. */
export const mpeg1video: Codec = codecOf('mpeg1video')
