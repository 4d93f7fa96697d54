/** True for 1, 2, 4, … up to 2^46, the largest offset of a file there is. */
export function isPowerOfTwo(value: number): boolean {
  return value >= 1 && value <= 2 ** 46 && Number.isInteger(Math.log2(value))
}

/** True for two whole numbers, as 32 bits, that differ in exactly one. */
export function differByOneBit(a: number, b: number): boolean {
  return Number.isInteger(a) && Number.isInteger(b) && isPowerOfTwo((a ^ b) >>> 0)
}

/** True for two whole numbers up to 2^46 that differ in exactly one bit. */
export function isOneBitApart(a: number, b: number): boolean {
  const apart = Math.abs(a - b)
  return isPowerOfTwo(apart) && Math.floor(Math.min(a, b) / apart) % 2 === 0
}

/** Bits in which two four-character codes differ. */
export function differingBits(a: string, b: string): number {
  let bits = 0
  for (let i = 0; i < 4; i++) bits += bitsBetween(a.charCodeAt(i), b.charCodeAt(i))
  return bits
}

/** Bits in which two 32-bit numbers differ. */
export function bitsBetween(a: number, b: number): number {
  let bits = 0
  for (let rest = (a ^ b) >>> 0; rest > 0; rest = (rest & (rest - 1)) >>> 0) bits++
  return bits
}

/** A 32-bit number with one bit flipped. */
export function flip(value: number, bit: number): number {
  return (value ^ (1 << bit)) >>> 0
}
