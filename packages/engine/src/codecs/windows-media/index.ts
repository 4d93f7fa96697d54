import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { FramedRecogniser } from '../intra/framed-recogniser.ts'
import {
  advancedProfileType,
  mainProfileType,
  oneBitType,
  type PictureType,
  startCodeType,
  twoBitType,
} from './picture-type.ts'

/** Bytes of a frame that tell its type. */
const HEAD = 8

/** Frames carry no length and hardly any mark: their container's packets bound them, the recogniser tells the key frames. */
function codecOf(name: string, typeOf: (track: TrackDescription) => PictureType): Codec {
  return {
    name,
    recogniser(track: TrackDescription): FramedRecogniser {
      const type = typeOf(track)
      return new FramedRecogniser(
        name,
        (reader, offset, end) => {
          const seen = type(reader.bytes(offset, Math.min(HEAD, end - offset)))
          return seen && { key: seen === 'intra', shown: true, evidence: 1 }
        },
        // nothing marks a frame's start
        (_reader, _from, end) => end,
      )
    },
  }
}

export const msmpeg4v1: Codec = codecOf('msmpeg4v1', () => startCodeType)
export const msmpeg4v2: Codec = codecOf('msmpeg4v2', () => twoBitType)
export const msmpeg4v3: Codec = codecOf('msmpeg4v3', () => twoBitType)
export const wmv1: Codec = codecOf('wmv1', () => twoBitType)
export const wmv2: Codec = codecOf('wmv2', () => oneBitType)
export const wmv3: Codec = codecOf('wmv3', (track) => mainProfileType(track.config))
export const vc1: Codec = codecOf('vc1', () => advancedProfileType)
