import { nextByte } from '../bytes/next-byte.ts'
import type { ByteReader } from '../bytes/reader.ts'

/** Starts that are tried in one piece. */
const PIECE = 1 << 14

/**
 * The first place in [from, end) where a byte `sync` stands and `starts` says that a unit begins; `end` where there is none.
 * `starts` gets bytes that reach `ahead` behind every place, as far as the file does.
 */
export function searchSync(
  reader: ByteReader,
  from: number,
  end: number,
  { sync, ahead }: { readonly sync: number; readonly ahead: number },
  starts: (bytes: Uint8Array, at: number) => boolean,
): number {
  const last = Math.min(end, reader.size)
  for (let at = from; at < last; at += PIECE) {
    const bytes = reader.bytes(at, PIECE + ahead)
    const until = Math.min(PIECE, last - at)
    for (
      let start = nextByte(bytes, sync, 0);
      start >= 0 && start < until;
      start = nextByte(bytes, sync, start + 1)
    ) {
      if (starts(bytes, start)) return at + start
    }
  }
  return end
}
