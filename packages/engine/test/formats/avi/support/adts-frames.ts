/** Frames of AAC LC in stereo at 48 kHz of so many bytes each, each with an ADTS header (ISO/IEC 14496-3 §1.A.2.2). */
export function adtsFrames(lengths: readonly number[]): Uint8Array {
  return Uint8Array.from(
    lengths.flatMap((length) => [
      ...[0xff, 0xf1, 0x4c, 0x80 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc],
      ...Array.from({ length: length - 7 }, (_, i) => (i * 37 + 0x21) & 0xff),
    ]),
  )
}
