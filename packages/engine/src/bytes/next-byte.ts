/** Places looked at one by one: where a byte is frequent, the environment's search would be called for nearly each of them. */
const NEAR = 16

/**
 * The first place of `byte` in `bytes` from `from` on, or -1: fast where it is rare, and never much slower than a look at each
 * byte.
 */
export function nextByte(bytes: Uint8Array, byte: number, from: number): number {
  const near = Math.min(bytes.length, from + NEAR)
  for (let i = from; i < near; i++) if (bytes[i] === byte) return i
  return near === bytes.length ? -1 : bytes.indexOf(byte, near)
}
