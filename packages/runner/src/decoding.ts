import type { Decoded, Verification } from '@mendframe/engine'
import type { DecodeTarget } from './protocol.ts'

/** Decodes what the engine asks for. */
export type Decoding = (target: DecodeTarget) => Promise<Decoded>

/** What the engine is told of a decoding check; `undefined` where nothing decodes files of this kind. */
export function decodedOf(verification: Verification | undefined): Decoded {
  if (!verification) return { checked: false, reason: 'nothing here decodes files of this kind' }
  const { unchecked, tracks } = verification
  return unchecked === undefined ? { checked: true, tracks } : { checked: false, reason: unchecked }
}
