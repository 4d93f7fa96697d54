/** Bytes of a block of 16 values of one colour, as Sony's cameras write them into 8 bits a value. */
const BLOCK = 16
/** Values of two colours whose blocks take turns. */
const PAIR = 32
const VALUE = 0x7ff
const PLACE = 15

/**
 * How many rows of such blocks come before the first one that contradicts itself, of `height` in all: its largest value, in the
 * lowest 11 bits of a little-endian word, is less than its smallest, in the next 11, or both lie at one place, in the 4 bits
 * behind for each, and are not the same.
 */
export function arwRows(bytes: Uint8Array, width: number, height: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const row = width - (width % PAIR)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < row; x += BLOCK) {
      const word = view.getUint32(y * width + x, true)
      const [most, least] = [word & VALUE, (word >>> 11) & VALUE]
      const together = ((word >>> 22) & PLACE) === ((word >>> 26) & PLACE)
      if (most < least || (together && most > least)) return y
    }
  return height
}
