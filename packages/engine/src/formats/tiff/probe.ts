import { readTiffHeader } from '../../syntax/tiff-ifd/header.ts'
import { readIfd } from '../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../syntax/tiff-ifd/numbers.ts'
import type { InputFile, Probe } from '../format.ts'
import { imageOf } from './read/image.ts'
import { findStart } from './read/start.ts'
import { isPlausible } from './read/structure.ts'

/** Bytes at head and tail in which a directory is looked for where the header is gone. */
const LOOK = 64 * 1024

/** A header that points to a directory is certain; a directory without a header is strong. */
export function probe({ reader }: InputFile): Probe {
  const header = readTiffHeader(reader)
  if (header) {
    const numbers = new TiffNumbers(reader, header.little)
    const ifd = readIfd(numbers, header.firstIfd, header.big)
    if (ifd && isPlausible(ifd)) return { score: 97, reasons: ['a header and the directory it points to'] }
  }
  const begins = findStart(reader)
  if (begins > 0) return { score: 93, reasons: [`a header at ${begins}, and the pictures it leads to`] }
  for (const start of new Set([0, Math.max(0, reader.size - LOOK)])) {
    for (const little of [true, false]) {
      const numbers = new TiffNumbers(reader, little)
      for (let at = start; at < Math.min(start + LOOK, reader.size); at++) {
        const count = numbers.u16(at)
        if (count < 8 || count > 200 || numbers.u16(at + 4) > 18) continue
        const ifd = readIfd(numbers, at, false)
        if (ifd && ifd.entries.size === count && isPlausible(ifd) && imageOf(numbers, ifd))
          return { score: 70, reasons: [`a directory of pixels at ${at}`] }
      }
    }
  }
  return header ? { score: 15, reasons: ['a header without its directory'] } : { score: 0, reasons: [] }
}
