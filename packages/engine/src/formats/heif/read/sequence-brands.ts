import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'

/**
 * Brands of files with a movie box, in which pictures stand as a sequence: ISO/IEC 23008-12:2022 §10.3, AV1 Image File Format
 * §6.3.
 */
export const SEQUENCES: ReadonlySet<string> = new Set([
  ...['msf1', 'hevc', 'hevx', 'hevm', 'hevs', 'avcs', 'jpgs', 'vvcs', 'avis'],
])
const MOST_BRANDS = 64

/** Whether a file type says that there is a sequence, too. */
export function claimsSequence(reader: ByteReader, fileType: Box | undefined): boolean {
  return brandsOf(reader, fileType).some((brand) => SEQUENCES.has(brand))
}

/** Brands of files that show a picture of their items, and name it: ISO/IEC 23008-12:2022 §10.2, AV1 Image File Format §6.2. */
const COLLECTIONS: ReadonlySet<string> = new Set([
  ...['mif1', 'mif2', 'heic', 'heix', 'heim', 'heis', 'avif', 'avci', 'jpeg', 'j2ki', 'vvic'],
])

/**
 * Whether a file type says that there is a sequence and nothing else: none of its items need be named as the picture that is
 * shown.
 */
export function claimsSequenceAlone(reader: ByteReader, fileType: Box | undefined): boolean {
  const brands = brandsOf(reader, fileType)
  return brands.some((brand) => SEQUENCES.has(brand)) && !brands.some((brand) => COLLECTIONS.has(brand))
}

/** The main brand, and what stands behind its version: those that the file goes with, too. */
function brandsOf(reader: ByteReader, fileType: Box | undefined): readonly string[] {
  if (!fileType) return []
  const at = bodyOf(fileType)
  const count = Math.min(MOST_BRANDS, Math.floor((fileType.end - at) / 4))
  return Array.from({ length: count }, (_, i) => reader.fourcc(at + 4 * i))
}
