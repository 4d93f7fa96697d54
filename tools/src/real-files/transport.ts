import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'

/** Names that transport streams share with sources of TypeScript. */
const SHARED: ReadonlySet<string> = new Set(['.ts', '.mts'])
/** Bytes looked at. */
const HEAD = 1 << 20

/**
 * Whether a file that is named as a transport stream is a text: that has no byte 0, of which every stream has some in its tables
 * and headers, ISO/IEC 13818-1:2023 §2.4.4.
 */
export function isTextNamedAsTransport(path: string): boolean {
  if (!SHARED.has(extname(path).toLowerCase())) return false
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEAD)
    return !head.subarray(0, readSync(file, head, 0, HEAD, 0)).includes(0)
  } finally {
    closeSync(file)
  }
}
