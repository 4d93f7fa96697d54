import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { LengthCursor, StartCodeCursor } from '../nal/cursor.ts'
import { parameterSetsOf, parseAvcC } from './avcc.ts'
import { ParameterStore } from './parameter-sets.ts'
import { H264PictureReader } from './picture-reader.ts'
import { H264Recogniser } from './recogniser.ts'

/** Length bytes where no configuration tells: every camera's choice. */
const USUAL_LENGTH_SIZE = 4

/** ITU-T H.264 / ISO/IEC 14496-10. `config` is an `avcC` record, or parameter sets behind start codes, or empty. */
export const h264: Codec = {
  name: 'h264',
  recogniser(track: TrackDescription): H264Recogniser | undefined {
    const config = parseAvcC(track.config)
    const startCodes = track.framing === 'startcode'
    if (!startCodes && !config && track.config.length > 0) return undefined
    const store = new ParameterStore()
    const { sps, pps } = config ?? parameterSetsOf(track.config)
    for (const set of sps) store.addSps(set)
    for (const set of pps) store.addPps(set)
    const cursor = startCodes
      ? new StartCodeCursor()
      : new LengthCursor(config?.lengthSize ?? USUAL_LENGTH_SIZE)
    return new H264Recogniser(cursor, startCodes, store)
  },
  pictureReader(track: TrackDescription): H264PictureReader | undefined {
    const config = track.framing === 'startcode' ? undefined : parseAvcC(track.config)
    return config && new H264PictureReader(config)
  },
}
