/**
 * The NAL units behind length fields that fill a sample, ISO/IEC 14496-15:2022 §4.3.3, but for less than a unit at its end; undefined where
 * they do not. `shortest`: bytes that each has at the least.
 */
export function filling(sample: Uint8Array, lengthSize: number, shortest: number): Uint8Array[] | undefined {
  const units: Uint8Array[] = []
  for (let at = 0; at + lengthSize < sample.length; ) {
    let length = 0
    for (let i = 0; i < lengthSize; i++) length = length * 256 + sample[at + i]
    at += lengthSize
    if (length < shortest || at + length > sample.length) return undefined
    units.push(sample.subarray(at, at + length))
    at += length
  }
  return units
}
