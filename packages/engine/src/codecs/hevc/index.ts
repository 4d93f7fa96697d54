import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { LengthCursor, StartCodeCursor } from '../nal/cursor.ts'
import { parameterSetsOf, parseHvcC } from './hvcc.ts'
import { ParameterStore } from './parameter-sets.ts'
import { HevcPictureReader } from './picture-reader.ts'
import { HevcRecogniser } from './recogniser.ts'

/** Length bytes where no configuration tells: every camera's choice. */
const USUAL_LENGTH_SIZE = 4

/** ITU-T H.265 / ISO/IEC 23008-2. `config` is an `hvcC` record, or parameter sets behind start codes, or empty. */
export const hevc: Codec = {
  name: 'hevc',
  recogniser(track: TrackDescription): HevcRecogniser | undefined {
    const startCodes = track.framing === 'startcode'
    const config = startsWithCode(track.config) ? undefined : parseHvcC(track.config)
    if (!startCodes && !config && track.config.length > 0) return undefined
    const store = new ParameterStore()
    const { vps, sps, pps } = config ?? parameterSetsOf(track.config)
    for (const set of vps) store.addVps(set)
    for (const set of sps) store.addSps(set)
    for (const set of pps) store.addPps(set)
    const cursor = startCodes
      ? new StartCodeCursor()
      : new LengthCursor(config?.lengthSize ?? USUAL_LENGTH_SIZE)
    return new HevcRecogniser(cursor, startCodes, store)
  },
  pictureReader(track: TrackDescription): HevcPictureReader | undefined {
    if (track.framing === 'startcode' || startsWithCode(track.config)) return undefined
    const config = parseHvcC(track.config)
    return config && new HevcPictureReader(config)
  },
}

function startsWithCode(config: Uint8Array): boolean {
  return config[0] === 0 && config[1] === 0 && (config[2] === 1 || (config[2] === 0 && config[3] === 1))
}
