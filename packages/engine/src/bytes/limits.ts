/** Bounds that no input, however hostile, may push the engine past. Each with the reason for its value. */
export interface Limits {
  /** Entries of one track's sample table: 24 hours at 960 a second (audio of 48 kHz in frames of 50 samples) and to spare. */
  readonly samplesPerTrack: number
  /** Tracks of one file: cameras write up to 9, editors up to 64. */
  readonly tracks: number
  /** Nested structure: the deepest real box path is 10. */
  readonly depth: number
  /** Findings kept in a report; further ones are counted. */
  readonly findings: number
  /** Largest structure read into memory as a whole (an index, a header), in bytes. */
  readonly structureBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  samplesPerTrack: 16_000_000,
  tracks: 128,
  depth: 16,
  findings: 1_000,
  structureBytes: 256 * 1024 * 1024,
}

/** Entries that any file may have: five hours of sound in packets of 20 ms. */
const SAMPLES = 1_000_000
/**
 * Bytes for each further one. Packets are smaller on average where there is nothing but speech at the lowest rates, and then for
 * fifteen hours.
 */
const BYTES_A_SAMPLE = 32

/** The bounds for input of so many bytes: tables stay in proportion to them, however small a file says that its packets are. */
export function limitsFor(bytes: number): Limits {
  const samplesPerTrack = Math.min(
    DEFAULT_LIMITS.samplesPerTrack,
    SAMPLES + Math.floor(bytes / BYTES_A_SAMPLE),
  )
  return { ...DEFAULT_LIMITS, samplesPerTrack }
}

/** Entries of all tracks together that any file may have: five hours of pictures and sound. */
const ALL_SAMPLES = 1_500_000

/** Entries of all tracks together in a file of so many bytes, which a count or fields of four bits claim any number of. */
export function samplesOfAllTracks(bytes: number): number {
  return ALL_SAMPLES + Math.floor(bytes / BYTES_A_SAMPLE)
}
