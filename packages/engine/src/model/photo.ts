/** A stretch of a photo in the output, in pixels of the picture as it is stored (before any rotation that metadata asks for). */
export interface PhotoArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /**
   * `lost`: nothing of it is known, it is blank. `filled`: nothing of it survives, it shows a stored preview or what its
   * neighbours suggest. `hit`: its bytes are there but were hit, it shows its own detail at most up to there. `estimated`: its
   * detail is the photo's own, its place, brightness or colour is estimated.
   */
  readonly state: 'lost' | 'filled' | 'hit' | 'estimated'
  /** Where its bytes lie (or lay) in the damaged file, when known. */
  readonly offset?: number
  readonly length?: number
}

/** What became of one picture of a photo file: the photo itself, or one of several in the file. */
export interface PictureReport {
  readonly role: 'main' | 'preview' | 'further'
  readonly codec: string
  readonly width: number
  readonly height: number
  /** How a viewer turns it: Exif 2.32 §4.6.4, 1 to 8; 1 when unknown. */
  readonly orientation: number
  /** How it is coded, in words: `4:2:0, progressive`, `tiles of 512x512`, `strips`. */
  readonly layout: string
  /** Units of the codec: blocks of 8x8 pixels, tiles, strips, rows. */
  readonly unit: 'block' | 'tile' | 'strip' | 'row'
  /**
   * Units of the whole picture; those in the output exactly as they were recorded; those whose brightness, colour or place is
   * estimated; those that are gone, wholly or behind where they were hit.
   */
  readonly total: number
  readonly recovered: number
  readonly estimated: number
  readonly lost: number
  /** At most `MAX_AREAS`; those beyond are joined with their neighbours. */
  readonly areas: readonly PhotoArea[]
  /** Parts of the file that were put together anew, and from what. */
  readonly rebuilt: readonly {
    readonly part: string
    readonly from: 'file' | 'standard' | 'sample' | 'fitted' | 'preview'
  }[]
  /**
   * Where in the output a further picture lies that is a photo of its own, as where several ran into one file: these bytes alone
   * are its file, with the previews and maps that belong to it. At most 50 photos have one.
   */
  readonly place?: { readonly offset: number; readonly length: number }
}

/** The reports of pictures whose bytes were put `by` bytes further back. */
export function movedPlaces(pictures: readonly PictureReport[], by: number): PictureReport[] {
  return pictures.map(({ place, ...picture }) =>
    place ? { ...picture, place: { ...place, offset: place.offset + by } } : picture,
  )
}

/** The reports of pictures that were all stored with another. */
export function withoutPlaces(pictures: readonly PictureReport[]): PictureReport[] {
  return pictures.map(({ place: _, ...picture }) => picture)
}

/** Areas of one picture that a report keeps. */
export const MAX_AREAS = 500
