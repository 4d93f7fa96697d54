import type { Adversary } from './adversary.ts'
import { INDEX_ADVERSARIES } from './index-adversaries.ts'

export type { Adversary, HostileInput } from './adversary.ts'

/** Every adversary. */
export const ADVERSARIES: readonly Adversary[] = [...INDEX_ADVERSARIES]
