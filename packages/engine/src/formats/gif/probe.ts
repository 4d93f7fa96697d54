import type { InputFile, Probe } from '../format.ts'
import { nextBlock, TRAILER } from './read/blocks.ts'
import { signatureBytes } from './read/header.ts'

/** Bytes at the start in which blocks are looked for where the signature is gone. */
const LOOK = 64 * 1024
const CERTAIN = 95
const BLOCK_FOUND = 60
const SIGNATURE_BYTES = 6
/** Bytes of the signature that are enough where the others were hit. */
const MOST = 4

/** The signature is certain; a block that reads as one is likely. */
export function probe({ reader }: InputFile): Probe {
  const head = Uint8Array.from(reader.bytes(0, LOOK))
  const same = signatureBytes(head)
  if (same === SIGNATURE_BYTES) return { score: CERTAIN, reasons: ['the signature'] }
  const at = nextBlock(head, 0)
  if (at < head.length && head[at] !== TRAILER)
    return { score: BLOCK_FOUND, reasons: ['a block that reads as an image or extension'] }
  if (same >= MOST) return { score: BLOCK_FOUND, reasons: ['most of the signature'] }
  return { score: 0, reasons: [] }
}
