import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import { UnitPictureReader } from '../unit-picture-reader.ts'
import { layerOf } from './headers.ts'
import { Mpeg4Recogniser } from './recogniser.ts'

/** MPEG-4 part 2 (ISO/IEC 14496-2): phones' mp4v, DivX and Xvid. `config` holds the video object layer, or nothing. */
export const mpeg4: Codec = {
  name: 'mpeg4',
  recogniser: recogniserOf,
  pictureReader: (track: TrackDescription) => new UnitPictureReader(recogniserOf(track)),
}

function recogniserOf(track: TrackDescription): Mpeg4Recogniser {
  return new Mpeg4Recogniser(layerOf(new ByteReader(new MemorySource(track.config))))
}
