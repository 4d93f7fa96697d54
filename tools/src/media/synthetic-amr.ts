import { randomFrom } from './random.ts'

/** A narrow-band AMR frame lasts 20 ms at 8 kHz (3GPP TS 26.101 §4). */
export const AMR_FRAME_SAMPLES = 160
export const AMR_SAMPLE_RATE = 8_000
/** Mode 7 (12.2 kbit/s) in the storage format: a header byte and 244 bits (RFC 4867 §5.3). */
const MODE = 7
const FRAME_BYTES = 32
const QUALITY_GOOD = 1

/**
 * Narrow-band AMR without an encoder: any speech bits decode to some sound, so frames with a true header and random
 * bits are all a container test needs.
 */
export function amrFrames(seconds: number, seed: number): Uint8Array[] {
  const random = randomFrom(seed)
  const count = Math.ceil((seconds * AMR_SAMPLE_RATE) / AMR_FRAME_SAMPLES)
  return Array.from({ length: count }, () => {
    const frame = Uint8Array.from({ length: FRAME_BYTES }, () => Math.floor(random() * 256))
    frame[0] = (MODE << 3) | (QUALITY_GOOD << 2)
    // The 244 bits leave four of padding in the last byte.
    frame[FRAME_BYTES - 1] = (frame[FRAME_BYTES - 1] ?? 0) & 0xf0
    return frame
  })
}
