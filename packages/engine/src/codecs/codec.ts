import type { TrackDescription } from '../model/track.ts'
import type { PictureReader } from './picture-reading.ts'
import type { Recogniser } from './recogniser.ts'

/** A bitstream the engine can recognise without an index. */
export interface Codec {
  /** The name tracks carry in `TrackDescription.codec`. */
  readonly name: string
  /** Builds a recogniser for one track, or undefined when its configuration is unusable. Never throws for damage. */
  recogniser(track: TrackDescription): Recogniser | undefined
  /** Optional: what reads pictures of the track to their last bit; undefined where nothing does. Never throws for damage. */
  pictureReader?(track: TrackDescription): PictureReader | undefined
}
