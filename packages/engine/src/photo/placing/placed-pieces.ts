import type { Reference } from '../preview/reference.ts'
import type { Piece } from '../reading/pieces.ts'
import { SlipFinder } from './find-slips.ts'
import { type Placement, Placer, type PlacerInput } from './place.ts'

/** Rounds of looking for slips of place. */
const SLIP_ROUNDS = 3

/** What tells places of pieces whatever a preview does. */
type CommonInput = Omit<PlacerInput, 'pieces' | 'reference'>

/** Where pieces are, with those they were cut into. */
interface PlacedPieces {
  readonly pieces: readonly Piece[]
  readonly placed: Pick<Placement, 'source' | 'places' | 'margins'>
}

/** Places pieces, and keeps where they are for a scan that was read anew into pieces of the same MCUs. */
export class Places {
  #joined: readonly Piece[] | undefined
  #found: PlacedPieces | undefined

  /** Where pieces are that `joined` ones were cut into. */
  of(
    joined: readonly Piece[],
    pieces: readonly Piece[],
    references: readonly (Reference | undefined)[],
    input: CommonInput,
  ): PlacedPieces {
    const before = this.#joined
    const same = ({ first, count, startBit }: Piece, index: number): boolean =>
      first === before?.[index].first && count === before[index].count && startBit === before[index].startBit
    if (this.#found && joined.length === before?.length && joined.every(same)) return this.#found
    this.#joined = joined
    this.#found = place(pieces, references, input)
    return this.#found
  }
}

/** Places pieces by the likeliest of references, and places them again cut at slips that show then. */
function place(
  pieces: readonly Piece[],
  references: readonly (Reference | undefined)[],
  input: CommonInput,
): PlacedPieces {
  let parts = pieces
  const ways = references.map((reference) => ({
    reference,
    placed: new Placer({ ...input, reference, pieces }).place(),
  }))
  let { reference, placed } = ways.reduce((a, b) => (b.placed.score > a.placed.score ? b : a))
  for (let round = 0; round < SLIP_ROUNDS; round++) {
    const cut = new SlipFinder(input.edges, input.layout, parts, placed).cut()
    if (!cut) break
    const again = new Placer({ ...input, reference, pieces: cut }).place()
    // where something slips what is cut there fits better
    if (again.score <= placed.score) break
    parts = cut
    placed = again
  }
  const { source, places, margins } = placed
  return { pieces: parts, placed: { source, places, margins } }
}
