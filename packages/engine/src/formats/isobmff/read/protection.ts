/** What an entry's protection says, ISO/IEC 23001-7:2023 §8.2. */
export interface Protection {
  /** Bytes of each sample's own initialisation vector; 0 where all share one. */
  readonly ivBytes: number
}
