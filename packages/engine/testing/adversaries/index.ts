import { FORMATS } from '../../src/formats/index.ts'
import type { Adversary } from './adversary.ts'
import { DIRECTORY_ADVERSARIES } from './directory-adversaries.ts'
import { fixtureAdversaries, patternAdversaries } from './fixture-adversaries.ts'
import { FRAGMENT_ADVERSARIES } from './fragment-adversaries.ts'
import { INDEX_ADVERSARIES } from './index-adversaries.ts'
import { PAYLOAD_ADVERSARIES } from './payload-adversaries.ts'
import { PHOTO_ADVERSARIES } from './photo-adversaries.ts'
import { PIECE_ADVERSARIES } from './piece-adversaries.ts'
import { SAMPLE_ADVERSARIES } from './sample-adversaries.ts'
import { STREAM_ADVERSARIES } from './stream-adversaries.ts'

export type { Adversary, HostileInput } from './adversary.ts'

/** Those that attack what the structures of the damaged file say. */
export const STRUCTURE_ADVERSARIES: readonly Adversary[] = [...INDEX_ADVERSARIES, ...FRAGMENT_ADVERSARIES]

/** Every adversary of ISO media. */
export const ISO_ADVERSARIES: readonly Adversary[] = [
  ...STRUCTURE_ADVERSARIES,
  ...PAYLOAD_ADVERSARIES,
  ...SAMPLE_ADVERSARIES,
]

/** Those of every format in the list. */
export const FORMAT_ADVERSARIES: readonly Adversary[] = [
  ...patternAdversaries(FORMATS),
  ...fixtureAdversaries(FORMATS),
  ...PHOTO_ADVERSARIES,
  ...PIECE_ADVERSARIES,
  ...DIRECTORY_ADVERSARIES,
  ...STREAM_ADVERSARIES,
]

/** Every adversary. */
export const ADVERSARIES: readonly Adversary[] = [...ISO_ADVERSARIES, ...FORMAT_ADVERSARIES]
