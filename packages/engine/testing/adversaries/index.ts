import type { Adversary } from './adversary.ts'
import { FRAGMENT_ADVERSARIES } from './fragment-adversaries.ts'
import { INDEX_ADVERSARIES } from './index-adversaries.ts'
import { PAYLOAD_ADVERSARIES } from './payload-adversaries.ts'
import { SAMPLE_ADVERSARIES } from './sample-adversaries.ts'

export type { Adversary, HostileInput } from './adversary.ts'

/** Those that attack what the structures of the damaged file say. */
export const STRUCTURE_ADVERSARIES: readonly Adversary[] = [...INDEX_ADVERSARIES, ...FRAGMENT_ADVERSARIES]

/** Every adversary. */
export const ADVERSARIES: readonly Adversary[] = [
  ...STRUCTURE_ADVERSARIES,
  ...PAYLOAD_ADVERSARIES,
  ...SAMPLE_ADVERSARIES,
]
