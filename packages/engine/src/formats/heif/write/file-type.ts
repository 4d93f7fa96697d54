import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, boxBytes } from '../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { SEQUENCES } from '../read/sequence-brands.ts'

/** Largest box that is taken over. */
const MOST_BYTES = 64 * 1024
/** Brands that say how pictures are coded, and the one that says nothing of it. */
const CODED: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'avif'])
const ANY = 'mif1'
/** Where the main brand stands in a box, its version, and the first of the others. */
const [MAIN, VERSION, OTHERS] = [8, 12, 16]

/** The file type of a photo; where its own is lost, that of one whose pictures are coded so. */
export function fileTypeBytes(reader: ByteReader, box: Box | undefined, codec: string): Uint8Array {
  if (box && bodyOf(box) + 8 <= box.end) return boxBytes(reader, box, MOST_BYTES)
  const brand = codec === 'av01' ? 'avif' : 'heic'
  return typeOf(brand, 0, [ANY, brand])
}

/**
 * A `ftyp` box that claims no sequence: decoders refuse a file without one that its type claims. The same box where it claims
 * none.
 */
export function withoutSequences(box: Uint8Array): Uint8Array {
  const brandAt = (at: number): string => String.fromCharCode(...box.subarray(at, at + 4))
  const others: string[] = []
  for (let at = OTHERS; at + 4 <= box.length; at += 4) others.push(brandAt(at))
  const main = brandAt(MAIN)
  const kept = others.filter((brand) => !SEQUENCES.has(brand))
  if (!SEQUENCES.has(main) && kept.length === others.length) return box
  const version = new DataView(box.buffer, box.byteOffset).getUint32(VERSION)
  return typeOf(SEQUENCES.has(main) ? (kept.find((brand) => CODED.has(brand)) ?? ANY) : main, version, kept)
}

function typeOf(main: string, version: number, others: readonly string[]): Uint8Array {
  const writer = new BoxWriter()
  writer.box('ftyp', () => {
    writer.fourcc(main)
    writer.u32(version)
    for (const brand of others) writer.fourcc(brand)
  })
  return writer.bytes().slice()
}
