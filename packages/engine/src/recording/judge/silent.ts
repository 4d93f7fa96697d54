import type { Decoded } from '../../model/decoder.ts'

/** No decoder complained of a recording, and something came out of each track that has anything; none may have been asked. */
export function isSilent(decoded: Decoded): boolean {
  if (!decoded.checked) return true
  return decoded.tracks.every(
    ({ packets, frames, errors, unchecked, kind }) =>
      unchecked || (errors === 0 && (frames > 0 || packets === 0 || kind === 'text' || kind === 'data')),
  )
}
