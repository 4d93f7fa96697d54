/** A decoded photo: 8 bits a channel, rows from the top, upright. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly data: Uint8Array
}

/** Widest photo that is decoded, in pixels: 500 megapixels, more than any camera's single picture. */
export const MOST_PIXELS = 500_000_000
