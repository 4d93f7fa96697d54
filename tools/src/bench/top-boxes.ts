/** A box of the file's top level (ISO/IEC 14496-12:2022 §4.2). */
export interface TopBox {
  readonly type: string
  readonly start: number
  /** First byte behind the box header. */
  readonly body: number
  readonly end: number
}

/** The top-level boxes of a healthy ISO media file; stops at the first thing that is none. */
export function topBoxes(bytes: Buffer): TopBox[] {
  const boxes: TopBox[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const wide = short === 1
    const size = wide ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short
    if (size < 8 || at + size > bytes.length) break
    boxes.push({ type, start: at, body: at + (wide ? 16 : 8), end: at + size })
    at += size
  }
  return boxes
}
