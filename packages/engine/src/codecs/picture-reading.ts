/**
 * What reading a coded picture symbol by symbol, as a decoder would, shows: all of its slices end right where their bits do; one does not, so
 * that bits in it were hit; or nothing here reads pictures of its kind.
 */
export type PictureReading = 'whole' | 'torn' | 'unread'

/** Reads the pictures of one track, in decoding order. */
export interface PictureReader {
  /** Reads the sample with these bytes. */
  read(sample: Uint8Array): PictureReading
}
