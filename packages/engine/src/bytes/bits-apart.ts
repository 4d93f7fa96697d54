/** Bits in which two stretches of the same length differ. */
export function bitsApart(one: Uint8Array, other: Uint8Array): number {
  let bits = 0
  for (const [i, byte] of one.entries()) for (let off = byte ^ other[i]; off > 0; off &= off - 1) bits++
  return bits
}
