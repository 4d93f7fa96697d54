import type { Codec } from '../codec.ts'
import { Vp8Recogniser } from './recogniser.ts'
import { StreamReader } from './stream-reader.ts'

/** On2 VP8, RFC 6386. Frames carry no length: their container does, or nothing. */
export const vp8: Codec = {
  name: 'vp8',
  recogniser: ({ width = 0, height = 0 }) => new Vp8Recogniser(width, height),
  pictureReader: () => new StreamReader(),
}
