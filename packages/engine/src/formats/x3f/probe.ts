import type { InputFile, Probe } from '../format.ts'
import { hasMagic, readDirectory } from './read.ts'

/** The signature is certain; a directory at the end with sections that sign themselves is strong. */
export function probe({ reader }: InputFile): Probe {
  if (hasMagic(reader)) return { score: 99, reasons: ['signature'] }
  const sections = readDirectory(reader)?.sections.length ?? 0
  return sections > 0
    ? { score: 95, reasons: [`a directory of ${sections} sections`] }
    : { score: 0, reasons: [] }
}
