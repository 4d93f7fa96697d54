/** Bits of speech by frame type, 3GPP TS 26.101 Table 1a and TS 26.201 Table 1a; -1 where reserved. */
const NARROW_BITS = [95, 103, 118, 134, 148, 159, 204, 244, 39, 43, 38, 37, -1, -1, -1, 0]
const WIDE_BITS = [132, 177, 253, 285, 317, 365, 397, 461, 477, 40, -1, -1, -1, -1, 0, 0]

/** Frame types of comfort noise and of frames without speech. */
const NARROW_OTHER = [8, 15]
const WIDE_OTHER = [9, 14, 15]

/** One of the two codecs: AMR at 8 kHz, AMR-WB at 16 kHz. */
export interface FrameTypes {
  readonly sampleRate: 8000 | 16000
  /** Samples of a frame, 20 ms. */
  readonly samples: 160 | 320
  /** Speech modes, which the `damr` box lists as a bit set. */
  readonly modes: number
  /** Types that every track may use. */
  readonly other: readonly number[]
  /** By type: bytes behind the header byte, -1 where reserved. */
  readonly bytes: readonly number[]
  /** By type: bits that fill the last byte up, always zero. */
  readonly padding: readonly number[]
}

export const NARROW = frameTypes(8000, 160, 8, NARROW_OTHER, NARROW_BITS)
export const WIDE = frameTypes(16000, 320, 9, WIDE_OTHER, WIDE_BITS)

function frameTypes(
  sampleRate: 8000 | 16000,
  samples: 160 | 320,
  modes: number,
  other: readonly number[],
  bits: readonly number[],
): FrameTypes {
  return {
    sampleRate,
    samples,
    modes,
    other,
    bytes: bits.map((count) => (count < 0 ? -1 : Math.ceil(count / 8))),
    padding: bits.map((count) => (count < 0 ? 0 : -count & 7)),
  }
}
