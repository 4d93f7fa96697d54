import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, boxBytes, isCut } from '../../../syntax/iso-boxes/box.ts'

/** Bytes of a box kept verbatim: user data of phones and drones reaches some megabytes (previews, telemetry). */
const MAX_VERBATIM = 32 * 1024 * 1024

/** Copies of all whole boxes but those of the given types. */
export function verbatim(reader: ByteReader, boxes: readonly Box[], but: ReadonlySet<string>): Uint8Array[] {
  return boxes
    .filter((box) => !but.has(box.type) && !isCut(box))
    .map((box) => boxBytes(reader, box, MAX_VERBATIM))
    .filter((bytes) => bytes.length > 0)
}
