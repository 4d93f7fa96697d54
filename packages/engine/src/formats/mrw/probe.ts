import type { InputFile, Probe } from '../format.ts'
import { findBlocks } from './find-blocks.ts'
import { hasMagic, readHeader } from './read.ts'

/** The signature with a block behind it is certain; blocks without it are strong. */
export function probe({ reader }: InputFile): Probe {
  if (hasMagic(reader)) {
    const blocks = readHeader(reader)?.blocks.length ?? 0
    return { score: blocks > 0 ? 99 : 60, reasons: [`signature and ${blocks} blocks`] }
  }
  return findBlocks(reader)
    ? { score: 95, reasons: ['blocks without their signature'] }
    : { score: 0, reasons: [] }
}
