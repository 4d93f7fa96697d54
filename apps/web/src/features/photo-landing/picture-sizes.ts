export const FULL_WIDTH = 1080
export const SMALL_WIDTH = 540

/** A picture in its two widths. */
export interface Sources {
  readonly full: string
  readonly small: string
}
