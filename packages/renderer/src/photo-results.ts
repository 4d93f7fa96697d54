/** What decoding a photo came to. */
export interface PhotoVerification {
  /** A picture comes out. */
  readonly decodable: boolean
  /** False when nothing here decodes this kind of photo: that says nothing of the file. */
  readonly checked: boolean
  /** 1 when a strict decoder complains. */
  readonly errors: number
  /** Pixels of what came out; a raw photo is developed at half its size. */
  readonly width: number
  readonly height: number
  /** The photo's decoder opens nothing of it, and it is of boxes that the media library reads as well. */
  readonly boxed?: true
}
