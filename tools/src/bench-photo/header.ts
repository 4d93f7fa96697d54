/** A marker segment in front of a photo's scan, marker and length included. */
export interface HeaderSegment {
  readonly code: number
  readonly start: number
  readonly end: number
}

const SOS = 0xda

/** The segments of a healthy file up to the first scan header, ITU-T T.81 §B.1.1.4. */
export function walkHeader(photo: Uint8Array): HeaderSegment[] {
  const segments: HeaderSegment[] = []
  let start = 2
  while (start + 4 <= photo.length && photo[start] === 0xff) {
    const code = photo[start + 1] ?? 0
    const end = start + 2 + (((photo[start + 2] ?? 0) << 8) | (photo[start + 3] ?? 0))
    segments.push({ code, start, end })
    start = end
    if (code === SOS) break
  }
  return segments
}
