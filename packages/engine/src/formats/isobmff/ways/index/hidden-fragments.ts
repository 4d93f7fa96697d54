import type { ByteReader } from '../../../../bytes/reader.ts'
import { coversPayload } from '../../../../recording/judge/coverage.ts'
import type { Assessment, HeldIndex } from '../../assess.ts'

/**
 * Whether fragments of an encrypted recording are missing whose samples may be among bytes that no other names: nobody tells
 * those from other bytes. Where a service left fragments out, their media data are gone with them.
 */
export function hidesFragments(
  reader: ByteReader,
  { reading, findings }: Assessment,
  index: HeldIndex,
): boolean {
  const encrypted = index.tracks.some(({ protection }) => protection)
  const missing = encrypted && findings.has('isobmff.fragments-missing')
  return missing && !coversPayload(reader, index, reading.survey.payload)
}
