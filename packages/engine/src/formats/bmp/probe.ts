import type { InputFile, Probe } from '../format.ts'
import { FILE_HEADER, findInfo, isCoded, isForeign, isSigned, leastOffset, plainBytes } from './read.ts'
import { findStart } from './start.ts'

const CERTAIN = 95
const HEADER_FITS = 90
const HEADER_ALONE = 40
const SIGNATURE_ALONE = 30
/** Furthest place of the first pixel that a file header alone is believed with. */
const MOST_OFFSET = 2_048

/** A header that holds what such headers hold, with the signature in front of it or as many pixels behind it as it says. */
export function probe({ reader }: InputFile): Probe {
  const found = findInfo(reader)
  const signed = isSigned(reader)
  if (found && signed && found.at === FILE_HEADER)
    return { score: CERTAIN, reasons: ['the signature and a header'] }
  if (isForeign(reader)) return { score: CERTAIN, reasons: ['the signature and a header'] }
  if (found) {
    const { at, info } = found
    const whole = at + leastOffset(info) + plainBytes(info) === reader.size
    if (!isCoded(info) && whole) return { score: HEADER_FITS, reasons: ['a header that tells the size'] }
    return { score: HEADER_ALONE, reasons: ['a header'] }
  }
  const start = findStart(reader)
  if (start > 0) return { score: HEADER_FITS, reasons: [`a bitmap that begins at ${start}`] }
  const offset = reader.u32le(10)
  const plausible = offset >= FILE_HEADER + 12 && offset <= MOST_OFFSET && reader.u32le(6) === 0
  if (signed && plausible)
    return { score: SIGNATURE_ALONE, reasons: ['the signature and where pixels begin'] }
  return { score: 0, reasons: [] }
}
