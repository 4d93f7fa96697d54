/** Bytes that a directory places in the file. */
interface Piece {
  readonly offset: number
  readonly bytes: number
}

/**
 * A file of which less than this share is left is not made as long as it was: what the repair writes stays in proportion to what
 * it reads.
 */
const LEAST_LEFT = 1 / 64
/** Bytes a file may always be made longer by. */
const LEAST_PADDING = 4 * 1024 * 1024

/**
 * Where a file of `size` bytes ended before it was cut off: what its directories place behind its end follows on it and on each
 * other, and no more lies between, which nothing names, than is left of the file. A place or a length that leads beyond was hit
 * itself. In bytes, `size` at least.
 */
export function cutEnd(size: number, pieces: Iterable<Piece>): number {
  const behind = [...pieces].filter(({ offset, bytes }) => offset + bytes > size)
  behind.sort((a, b) => a.offset - b.offset)
  const most = size / LEAST_LEFT + LEAST_PADDING
  let end = size
  let unnamed = size
  for (const { offset, bytes } of behind) {
    unnamed -= Math.max(0, offset - end)
    if (unnamed < 0) break
    if (offset + bytes <= most) end = Math.max(end, offset + bytes)
  }
  return end
}
