/** A box at the top of a healthy file. */
export interface TopBox {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The boxes at the top of a file with 32-bit sizes, ISO/IEC 14496-12:2022 §4.2; none of other formats. */
export function topBoxes(bytes: Uint8Array): readonly TopBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const boxes: TopBox[] = []
  for (let start = 0; start + 8 <= bytes.length; ) {
    const end = start + view.getUint32(start)
    if (end < start + 8 || end > bytes.length) break
    boxes.push({ type: String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start, end })
    start = end
  }
  return boxes
}
