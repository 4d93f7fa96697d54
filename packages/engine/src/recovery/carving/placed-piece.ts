/** A piece of a lane without syntax with its place in the damaged file. */
export interface PlacedPiece {
  readonly lane: number
  readonly offset: number
  readonly length: number
}
