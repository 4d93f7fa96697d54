/**
 * What reading a coded picture symbol by symbol, as a decoder would, shows: all of its slices end right where their bits do; in
 * one they do not, so that bits in it were hit, though its units fill the sample and their headers make a picture; units are
 * missing, or do not fill the sample, or headers were hit; or nothing here reads pictures of its kind. Of those that are torn or
 * not read `spoiled` ones hold bytes that no unit may.
 */
export type PictureReading = 'whole' | 'torn' | 'broken' | 'unread' | 'spoiled'

/** Reads the pictures of one track, in decoding order. */
export interface PictureReader {
  /** Type of the slice read last, as its header tells it: slices of one type are read alike. */
  readonly sliceType: number
  /**
   * Pictures bring along all that they are read by, and hardly one reads to its end by chance: a few show that the reader knows
   * what the track has.
   */
  readonly isSelfContained?: boolean
  /** Reads the sample with these bytes. */
  read(sample: Uint8Array): PictureReading
}
