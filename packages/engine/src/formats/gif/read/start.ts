import type { ByteReader } from '../../../bytes/reader.ts'
import { introducerAt, nextBlock, tableBytes, u16 } from './blocks.ts'
import { HEAD, readHead, signatureBytes } from './header.ts'

/** Bytes that may stand in front of a picture. */
const MOST = 64 * 1024
const SIGNATURE_BYTES = 6
/** Bytes of a signature from which on it is one that was hit. */
const HIT = 4

/** Bytes behind a head that show whether it leads to a block: colours and the first sub-block of data. */
const BEHIND = 2_048

/**
 * Where a picture begins that had bytes put in front of it: at a whole head that leads to a block, in front of all others; 0
 * where there is none.
 */
export function findStart(reader: ByteReader): number {
  const bytes = Uint8Array.from(reader.bytes(0, MOST + BEHIND))
  if (signatureBytes(bytes) >= HIT || readHead(bytes).flags) return 0
  const last = Math.min(MOST, bytes.length - HEAD)
  for (let at = 1; at < last; at++)
    if (bytes[at] === 0x47 && isHead(bytes.subarray(at)))
      return nextBlock(bytes.subarray(0, at), 0) < at ? 0 : at
  return 0
}

function isHead(bytes: Uint8Array): boolean {
  const first = HEAD + tableBytes(bytes[10])
  return (
    signatureBytes(bytes) === SIGNATURE_BYTES &&
    u16(bytes, 6) > 0 &&
    u16(bytes, 8) > 0 &&
    introducerAt(bytes, first)
  )
}
