/** Bytes of one file to be copied to a place in another. */
export interface CopyOrder {
  readonly from: number
  readonly at: number
  readonly length: number
}
