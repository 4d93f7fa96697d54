/** The value that most pixels of one byte have: of drawings the ground. 0 where there are none. */
export function commonest(pixels: Iterable<number>): number {
  const counts = new Uint32Array(256)
  for (const pixel of pixels) counts[pixel]++
  return counts.indexOf(Math.max(...counts))
}
