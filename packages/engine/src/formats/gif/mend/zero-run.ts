/** Zeros in a row that compressed data do not come to. */
const LEAST = 16

/** Where the first stretch of zeros in compressed data begins; the end where there is none. */
export function zeroRunIn(bytes: Uint8Array, from: number, end: number): number {
  let start = from
  for (let at = from; at <= end; at++) {
    if (at < end && bytes[at] === 0) continue
    if (at - start >= LEAST || (at === bytes.length && at - start > 1)) return start
    start = at + 1
  }
  return end
}
