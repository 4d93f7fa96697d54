/** A marker segment of a JPEG file: its code and its bytes, marker and length included. */
export interface Segment {
  readonly marker: number
  readonly start: number
  readonly end: number
}

const SOS = 0xda

/** The segments before the entropy-coded data, which begins where the last one ends (ITU-T T.81 §B.1.1.4). */
export function headerSegments(file: Uint8Array): Segment[] {
  const segments: Segment[] = []
  let at = 2
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0
    const end = at + 2 + (((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0))
    segments.push({ marker, start: at, end })
    at = end
    if (marker === SOS) break
  }
  return segments
}

/** Where the entropy-coded data begins. */
export function scanStart(file: Uint8Array): number {
  const last = headerSegments(file).at(-1)
  if (last?.marker !== SOS) throw new Error('no scan in this file')
  return last.end
}
