import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Reference } from '../preview/reference.ts'
import type { Piece } from '../reading/pieces.ts'
import type { Edges } from './edges.ts'
import { inventedAtEnd } from './invented.ts'
import { LossEvidence } from './losses.ts'
import { PlaceEvidence } from './place-evidence.ts'
import { placesFor, type RangeInput } from './place-range.ts'
import { Room } from './room.ts'
import { SeamEvidence } from './seam-evidence.ts'
import { firstWay, NOWHERE, type PlacedPieces, roomFor, type Way, WayReader } from './way.ts'
import { WrapEvidence } from './wrap-evidence.ts'

/** Ways of placing that are followed side by side, and places of a piece that each goes on with. */
const WAYS = 24
const BRANCHES = 6
/** Places so near a better one are not gone on with beside it. */
const BESIDE = 1
/** With more pieces than these only the best way is followed. */
const MANY_PIECES = 300
/** What it costs to leave a piece out, for itself and for each of its MCUs. */
const LEFT_OUT_COST = 6
const LEFT_OUT_COST_EACH = 0.3
/** Places that are tried with every MCU, after all were with so many. */
const FINE = 64
const COARSE_SAMPLES = 40

/** Where pieces lie: the picture's positions by their MCU of the stream, -1 where nothing is. */
export interface Placement {
  readonly source: Int32Array
  /**
   * Position of each piece's first MCU, -1 of those left out, and by how much its place is likelier than the next best elsewhere:
   * a logarithm.
   */
  readonly places: readonly number[]
  readonly margins: readonly number[]
  /** How likely all of it is: a logarithm. */
  readonly score: number
  /** Levels to be added to the luminance of an MCU of the stream. */
  readonly lift: (mcu: number) => number
}

interface Choice {
  readonly way: Way
  readonly place: number
  readonly score: number
  readonly margin: number
  /** The score with what it leaves for pieces to come. */
  readonly rank: number
}

/** A way's own memory. */
type Columns = Pick<Way, 'source' | 'pieces'>

interface RatedPlace {
  readonly place: number
  readonly score: number
}

/** The best places of those rated, best first: none beside a better one, which tells little else. */
function apart(rated: readonly RatedPlace[]): RatedPlace[] {
  const chosen: RatedPlace[] = []
  for (const each of rated) {
    if (chosen.length === BRANCHES) break
    if (chosen.every(({ place }) => Math.abs(place - each.place) > BESIDE)) chosen.push(each)
  }
  return chosen
}

export interface PlacerInput {
  readonly coefficients: Int16Array
  readonly edges: Edges
  readonly layout: McuLayout
  readonly pieces: readonly Piece[]
  /** First bits of MCUs of the stream, and bits of a usual one. */
  readonly starts: Uint32Array
  readonly usualBits: number
  /** The scan's end was there. */
  readonly complete: boolean
  readonly quantisation: readonly ArrayLike<number>[]
  readonly reference: Reference | undefined
}

/**
 * Finds the places of pieces by the likeliest of several ways followed side by side: how their first rows continue those above,
 * where rows end within them, what a preview shows, how many bits were lost, and where the scan ends.
 */
export class Placer {
  readonly #layout: McuLayout
  readonly #pieces: readonly Piece[]
  readonly #reader: WayReader
  readonly #range: RangeInput
  readonly #evidence: PlaceEvidence
  /** Arrays of ways that ended. */
  readonly #unused: Columns[] = []

  constructor(input: PlacerInput) {
    const { pieces, layout, edges, reference } = input
    this.#layout = layout
    this.#pieces = pieces
    this.#reader = new WayReader(edges, layout, pieces)
    const room = new Room(pieces, layout.mcuCount, input.complete)
    const seams = new SeamEvidence(edges, pieces, layout.mcuWide)
    const losses = new LossEvidence(
      pieces,
      input.starts,
      input.usualBits,
      layout.mcuCount,
      room.missing,
      (piece) => inventedAtEnd(piece, seams, layout.mcuWide),
    )
    this.#range = { layout, pieces, complete: input.complete, room, losses }
    const wraps = new WrapEvidence(input.coefficients, layout, input.quantisation)
    const reader = this.#reader
    this.#evidence = new PlaceEvidence({ layout, pieces, reader, room, seams, wraps, losses, reference })
  }

  place(): Placement {
    let ways = [firstWay(this.#layout.mcuCount, this.#pieces.length)]
    const most = this.#pieces.length > MANY_PIECES ? 1 : WAYS
    this.#pieces.forEach((piece, index) => {
      const choices = ways.flatMap((way) => this.#choices(way, piece, index))
      choices.sort((a, b) => b.rank - a.rank)
      ways = this.#follow(ways, this.#distinct(choices, piece, most), piece, index)
    })
    const [best, ...others] = ways
    const places = Array.from(best.pieces.places)
    const margins = places.map((place, index) => {
      const rival = others.find((way) => way.pieces.places[index] !== place)
      return Math.min(best.pieces.margins[index], rival ? best.score - rival.score : Number.POSITIVE_INFINITY)
    })
    const { source, score } = best
    return { source, places, margins, score, lift: this.#reader.liftOn(best) }
  }

  /** The best choices; of those that leave the same to do only one. */
  #distinct(choices: readonly Choice[], piece: Piece, most: number): Choice[] {
    const seen = new Set<number>()
    const kept: Choice[] = []
    const closed = piece.count >= 2 * this.#layout.mcuWide
    for (const choice of choices) {
      if (kept.length === most) break
      if (closed && choice.place !== NOWHERE) {
        if (seen.has(choice.place)) continue
        seen.add(choice.place)
      }
      kept.push(choice)
    }
    return kept
  }

  /** The best places of a piece behind what a way has placed. */
  #choices(way: Way, piece: Piece, index: number): Choice[] {
    if (index === 0 && piece.sections[0].known && piece.startBit === 0) {
      return [{ way, place: 0, score: way.score, margin: Number.POSITIVE_INFINITY, rank: way.score }]
    }
    const chained = this.#range.room.chained(index)
    const rated = this.#rate(way, index, chained)
    const second = rated[1]?.score ?? Number.NEGATIVE_INFINITY
    const leftOut = { place: NOWHERE, score: -LEFT_OUT_COST - LEFT_OUT_COST_EACH * piece.count }
    const chosen = apart(rated)
    const end = rated.find(({ place }) => place === chained)
    if (end && !chosen.includes(end)) chosen.push(end)
    return [...chosen, leftOut].map(({ place, score }, rank) => ({
      way,
      place,
      score: way.score + score,
      margin: rank === 0 ? score - second : score - rated[0].score,
      rank:
        way.score + score + this.#evidence.toCome(index, place === NOWHERE ? way.end : place + piece.count),
    }))
  }

  /** The likeliest places of a piece, best first, with `chained` among them if it may stand there. */
  #rate(way: Way, index: number, chained: number | undefined): RatedPlace[] {
    const places = placesFor(index, way.end, this.#range)
    const rate = (tried: readonly number[], stride: number): RatedPlace[] =>
      tried
        .map((place) => ({ place, score: this.#evidence.of(way, index, place, stride) }))
        .sort((a, b) => b.score - a.score)
    if (places.length <= FINE) return rate(places, 1)
    const rated = rate(places, this.#evidence.strideFor(index, COARSE_SAMPLES))
    const fine = rated.filter(({ place }, rank) => rank < FINE || place === chained)
    return rate(
      fine.map(({ place }) => place),
      1,
    )
  }

  /**
   * The ways that go on with these choices. Those that end here leave their memory to them: there are no more arrays than ways at
   * once.
   */
  #follow(ways: readonly Way[], choices: readonly Choice[], piece: Piece, index: number): Way[] {
    const followed = new Set(choices.map(({ way }) => way))
    for (const way of ways) if (!followed.has(way)) this.#unused.push(way)
    // a way's own arrays go to the choice that changes nothing in the picture, or to the last
    const owner = new Map<Way, Choice>()
    for (const choice of choices) if (owner.get(choice.way)?.place !== NOWHERE) owner.set(choice.way, choice)
    // all copies are taken before any piece is put
    const columns = choices.map((choice): Columns => {
      const { way } = choice
      return owner.get(way) === choice ? way : this.#copyOf(way)
    })
    return choices.map((choice, i) => this.#put(choice, piece, index, columns[i]))
  }

  /** A copy of what a way has. */
  #copyOf({ source, pieces }: Columns): Columns {
    const copy = this.#unused.pop() ?? {
      source: new Int32Array(source.length),
      pieces: roomFor(this.#pieces.length),
    }
    copy.source.set(source)
    for (const column of ['places', 'margins', 'offsets'] as const) copy.pieces[column].set(pieces[column])
    return copy
  }

  /** The way with a piece at the place chosen; what stood there gives way. `columns` have what the way has, and are its own. */
  #put({ way, place, score, margin }: Choice, piece: Piece, index: number, columns: Columns): Way {
    const { source, pieces } = columns
    note(pieces, index, place, margin)
    if (place === NOWHERE) return { ...way, source, pieces, score }
    const free = piece.sections.find(({ known }) => !known)
    const level = free && this.#reader.level({ ...way, source }, free, place + free.first - piece.first, 1)
    pieces.offsets[index] = level ?? 0
    const end = Math.min(this.#layout.mcuCount, place + piece.count)
    for (let at = place; at < end; at++) source[at] = piece.first + at - place
    // pieces invented in front may stand beyond
    if (way.end > end && this.#pieces[index - 1]?.broken) source.fill(-1, end, way.end)
    return { source, pieces, score, end, last: index }
  }
}

function note(
  { places, margins, offsets }: PlacedPieces,
  index: number,
  place: number,
  margin: number,
): void {
  places[index] = place
  margins[index] = margin
  offsets[index] = 0
}
