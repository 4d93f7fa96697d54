/**
 * The NAL units behind length fields that fill a sample, ISO/IEC 14496-15:2022 §4.3.3, but for less than a unit at its end;
 * undefined where they do not. `shortest`: bytes that each has at the least.
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

/**
 * Whether one of some NAL units holds three zero bytes, a start code's and those at its end apart, or 00 00 02, which none may
 * (ITU-T H.264 §7.4.1, H.265 §7.4.2).
 */
export function isSpoiled(units: readonly Uint8Array[]): boolean {
  return units.some((nal) => {
    let end = nal.length
    while (end > 0 && nal[end - 1] === 0) end--
    for (let i = 0; i + 3 < end; i++) {
      if (nal[i] !== 0 || nal[i + 1] !== 0) continue
      if (nal[i + 2] === 2 || (nal[i + 2] === 0 && nal[i + 3] !== 1)) return true
    }
    return false
  })
}
