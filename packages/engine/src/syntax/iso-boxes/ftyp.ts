import type { ByteReader } from '../../bytes/reader.ts'
import { type Box, bodyOf } from './box.ts'
import type { BoxWriter } from './box-writer.ts'

/** File type box, ISO/IEC 14496-12:2022 §4.3. */
export interface FileType {
  readonly major: string
  readonly minor: number
  readonly compatible: readonly string[]
}

/** Brands a file may list; the longest real list has a dozen. */
const MAX_BRANDS = 256

export function parseFileType(reader: ByteReader, box: Box): FileType {
  const at = bodyOf(box)
  const compatible: string[] = []
  for (let brand = at + 8; brand + 4 <= box.end && compatible.length < MAX_BRANDS; brand += 4) {
    compatible.push(reader.fourcc(brand))
  }
  return { major: reader.fourcc(at), minor: reader.u32(at + 4), compatible }
}

export function writeFileType(writer: BoxWriter, type: FileType): void {
  writer.box('ftyp', () => {
    writer.fourcc(type.major)
    writer.u32(type.minor)
    for (const brand of type.compatible) writer.fourcc(brand)
  })
}
