/** A camera's configuration record in the size of the pictures at hand. */
export interface ResizedSets {
  readonly config: Uint8Array
  /** Shown luma samples. */
  readonly width: number
  readonly height: number
  /** Key pictures that read to the last bit, and whether all that were looked at do. */
  readonly pictures: number
  readonly all: boolean
}
