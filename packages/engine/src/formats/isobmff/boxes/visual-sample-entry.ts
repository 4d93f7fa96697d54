import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'

/** Fields of a visual sample entry, ISO/IEC 14496-12:2022 §12.1.3, in pixels. */
export interface VisualEntry {
  readonly width: number
  readonly height: number
  /** Bits a pixel, as the entry says. */
  readonly depth: number
}

const FIXED = 78

/** Reads the fixed part; `children` is the offset of the boxes behind it. Undefined when the fixed part is cut. */
export function parseVisualEntry(
  reader: ByteReader,
  box: Box,
): { entry: VisualEntry; children: number } | undefined {
  const at = bodyOf(box)
  if (at + FIXED > box.end) return undefined
  const entry = { width: reader.u16(at + 24), height: reader.u16(at + 26), depth: reader.u16(at + 74) }
  return { entry, children: at + FIXED }
}
