import type { Decoded, Verification } from '@mendframe/engine'
import type { DecodeTarget } from './protocol.ts'

/** Decodes what the engine asks for. */
export type Decoding = (target: DecodeTarget) => Promise<Decoded>

/** What the engine is told of a decoding check. */
export function decodedOf({ unchecked, tracks }: Verification): Decoded {
  return unchecked === undefined ? { checked: true, tracks } : { checked: false, reason: unchecked }
}
