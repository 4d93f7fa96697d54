import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'

/** Brands of files with a movie box, in which pictures stand as a sequence: ISO/IEC 23008-12:2022 §10.3, AV1 Image File Format §6.3. */
export const SEQUENCES: ReadonlySet<string> = new Set([
  ...['msf1', 'hevc', 'hevx', 'hevm', 'hevs', 'avcs', 'jpgs', 'vvcs', 'avis'],
])
const MOST_BRANDS = 64

/** Whether a file type says that there is a sequence, too. */
export function claimsSequence(reader: ByteReader, fileType: Box | undefined): boolean {
  if (!fileType) return false
  const end = Math.min(fileType.end, bodyOf(fileType) + 4 * MOST_BRANDS)
  for (let at = bodyOf(fileType); at + 4 <= end; at += 4) if (SEQUENCES.has(reader.fourcc(at))) return true
  return false
}
