import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { Edges } from './edges.ts'
import type { Piece, Section } from './pieces.ts'
import type { Reference } from './reference.ts'
import { medianOf } from './statistics.ts'
import { WrapEvidence } from './wrap-evidence.ts'

/** Ways of placing that are followed side by side, and places of a piece that each goes on with. */
const WAYS = 8
const BRANCHES = 5
/** With more pieces than these only the best way is followed. */
const MANY_PIECES = 300
/** Levels from which on a mismatch counts no more. */
const MOST = 48
/** A mismatch up to this factor of what is usual, and levels, speaks for a place. */
const FITS_FACTOR = 1.5
const FITS_LEVELS = 1.5
/** A mismatch above this factor of one that still fits speaks no more against a place: edges of the picture's own are as bad. */
const WORST = 2.5
/** Place of a piece that is left out, and what that costs, for itself and for each of its MCUs. */
const NOWHERE = -1
const LEFT_OUT_COST = 6
const LEFT_OUT_COST_EACH = 0.3
/** Rows above that are looked at where the nearest are lost. */
const ROWS_UP = 8
/** What those tell beside what the nearest would. */
const FARTHER_UP = 0.4
/** MCUs that a piece behind damage may begin before the end of what stands in front: that may have been invented. */
const OVERLAP = 96
/** MCUs invented in damage that a piece may hold, so that all pieces may be longer than the room left. */
const SLACK = 64
/** Weight of being another number of MCUs away than the lost bits tell. */
const DISTANCE_WEIGHT = 2
/**
 * Where all losses together are as many MCUs as the lost bits tell, within these factors, bytes were overwritten and each loss is its share:
 * the weight of being off by as much as is usual, how much that is (a part of it and some MCUs), and the most that counts.
 */
const FEWEST_OF_EXPECTED = 0.4
const MOST_OF_EXPECTED = 3
const COUNTED_WEIGHT = 3
const USUAL_PART = 0.35
const USUAL_MCUS = 6
const MOST_OFF = 14
/** Weight of room left behind a piece that is not what the losses behind it need, by parts of them and MCUs. */
const ROOM_WEIGHT = 3
const ROOM_PART = 0.15
const ROOM_MCUS = 12
const MOST_ROOM_COST = 60
/** What it is worth that a piece cut off on suspicion stands where nothing is wrong. */
const NOTHING_WRONG_WORTH = 16
/** Places that are tried with every MCU, after all were with some. */
const FINE = 48
const COARSE_STRIDE = 4
/** What it is worth that the scan ends where the picture does: for its last piece, and for one behind which nothing need be lost. */
const END_WORTH = 120
const EXACT_WORTH = 3
/** Places tried of one piece at most: more cannot be told apart in the time there is. */
const MOST_PLACES = 60_000

/** Where pieces lie: the picture's positions by their MCU of the stream, -1 where nothing is. */
export interface Placement {
  readonly source: Int32Array
  /** Position of each piece's first MCU, -1 of those left out, and by how much its place is better than the next best elsewhere. */
  readonly places: readonly number[]
  readonly margins: readonly number[]
}

interface Way {
  readonly source: Int32Array
  readonly places: readonly number[]
  readonly margins: readonly number[]
  /** Levels added to each piece's luminance. */
  readonly offsets: readonly number[]
  readonly score: number
  readonly end: number
}

interface Choice {
  readonly way: Way
  readonly place: number
  readonly score: number
  readonly margin: number
}

export interface PlacerInput {
  readonly coefficients: Int16Array
  readonly edges: Edges
  readonly layout: McuLayout
  readonly pieces: readonly Piece[]
  /** Bits of a usual MCU. */
  readonly usualBits: number
  /** The scan's end was there. */
  readonly complete: boolean
  readonly quantisation: readonly ArrayLike<number>[]
  readonly reference: Reference | undefined
}

/**
 * Finds the places of pieces by the best of several ways followed side by side: how their first rows continue those above, where rows
 * end within them, what a preview shows, how many bits were lost, and where the scan ends.
 */
export class Placer {
  readonly #input: PlacerInput
  readonly #pieceOf: Int32Array
  readonly #remaining: number[]
  readonly #differences: Float32Array
  readonly #wraps: WrapEvidence
  /** MCUs lost for each that the lost bits tell; undefined where that tells nothing. */
  readonly #lossRatio: number | undefined
  /** MCUs that the lost bits behind each piece would hold. */
  readonly #lostBehind: number[]
  /** What does not depend on other pieces, by piece and place. */
  readonly #alone = new Map<Piece, Map<number, number>>()

  constructor(input: PlacerInput) {
    this.#input = input
    const { pieces, layout } = input
    const count = pieces.reduce((most, piece) => Math.max(most, piece.first + piece.count), 0)
    this.#pieceOf = new Int32Array(count)
    pieces.forEach((piece, index) => {
      this.#pieceOf.fill(index, piece.first, piece.first + piece.count)
    })
    this.#remaining = new Array<number>(pieces.length + 1).fill(0)
    for (let i = pieces.length - 1; i >= 0; i--) this.#remaining[i] = this.#remaining[i + 1] + pieces[i].count
    this.#differences = new Float32Array(layout.mcuWide + 1)
    this.#wraps = new WrapEvidence(input.coefficients, layout, input.quantisation)
    this.#lossRatio = this.#ratio()
    this.#lostBehind = new Array<number>(pieces.length).fill(0)
    for (let i = pieces.length - 2; i >= 0; i--) {
      this.#lostBehind[i] = this.#lostBehind[i + 1] + this.#lostBits(pieces[i + 1], i + 1) / input.usualBits
    }
  }

  place(): Placement {
    const { pieces, layout } = this.#input
    let ways: Way[] = [
      {
        source: new Int32Array(layout.mcuCount).fill(-1),
        places: [],
        margins: [],
        offsets: [],
        score: 0,
        end: 0,
      },
    ]
    const most = pieces.length > MANY_PIECES ? 1 : WAYS
    pieces.forEach((piece, index) => {
      const choices = ways.flatMap((way) => this.#choices(way, piece, index))
      const rank = new Map(choices.map((choice) => [choice, choice.score - this.#roomCost(choice, index)]))
      choices.sort((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0))
      ways = choices.slice(0, most).map((choice) => this.#put(choice, piece, index))
    })
    const [best] = ways
    return { source: best.source, places: best.places, margins: best.margins }
  }

  /** The best places of a piece behind what a way has placed. */
  #choices(way: Way, piece: Piece, index: number): Choice[] {
    if (index === 0 && piece.sections[0].known && piece.startBit === 0) {
      return [{ way, place: 0, score: way.score, margin: Number.POSITIVE_INFINITY }]
    }
    const places = this.#range(way, piece, index)
    const lost = this.#lostBits(piece, index) / this.#input.usualBits
    const main = piece.sections.reduce((most, section) => (section.count > most.count ? section : most))
    const usual = this.#usual(main)
    const rate = (place: number, stride: number): number =>
      this.#seam(way, piece, main, place, usual, stride) + this.#others(way, piece, index, main, place, lost)
    let rated = places.map((place) => ({
      place,
      score: rate(place, places.length > FINE ? COARSE_STRIDE : 1),
    }))
    rated.sort((a, b) => b.score - a.score)
    if (places.length > FINE) {
      rated = rated.slice(0, FINE).map(({ place }) => ({ place, score: rate(place, 1) }))
      rated.sort((a, b) => b.score - a.score)
    }
    const second = rated[1]?.score ?? Number.NEGATIVE_INFINITY
    const leftOut = { place: NOWHERE, score: -LEFT_OUT_COST - LEFT_OUT_COST_EACH * piece.count }
    return [...rated.slice(0, BRANCHES), leftOut].map(({ place, score }, rank) => ({
      way,
      place,
      score: way.score + score,
      margin: rank === 0 ? score - second : score - rated[0].score,
    }))
  }

  #range(way: Way, piece: Piece, index: number): number[] {
    const { layout, complete } = this.#input
    const previous = this.#input.pieces[index - 1]
    const first = Math.max(0, way.end - (previous?.broken ? OVERLAP : 0))
    const lost = this.#lostBits(piece, index) / this.#input.usualBits
    const room = layout.mcuCount - this.#remaining[index] + SLACK
    const counted = this.#lossRatio === undefined ? undefined : lost * this.#lossRatio
    const near = way.end + (counted ?? 0) * MOST_OF_EXPECTED + OVERLAP + SLACK
    const far =
      counted !== undefined
        ? Math.min(room, near)
        : complete
          ? room
          : Math.min(room, way.end + 4 * lost + layout.mcuWide + SLACK)
    const last = Math.min(layout.mcuCount - 1, Math.max(far, way.end + OVERLAP))
    const places: number[] = []
    const { step, phase } = piece
    const from = step > 1 ? first + ((((phase - first) % step) + step) % step) : first
    for (let place = from; place <= last && places.length < MOST_PLACES; place += step) places.push(place)
    if (places.length === 0) places.push(Math.min(from, layout.mcuCount - 1))
    return places
  }

  #lostBits(piece: Piece, index: number): number {
    return index === 0 ? piece.startBit : Math.max(0, piece.startBit - this.#input.pieces[index - 1].endBit)
  }

  /** What is usual between the rows of a section itself. */
  #usual({ first, count }: Section): number {
    const { edges, layout } = this.#input
    const wide = layout.mcuWide
    const sampled = Math.min(wide, count - wide)
    if (sampled < 8) return 6
    const values = new Float32Array(sampled)
    for (let i = 0; i < sampled; i++) values[i] = edges.mismatch(first + wide + i, first + i, 0, MOST)
    return Math.max(0.8, medianOf(values))
  }

  /** How well a section's first row continues what lies above a place: above 0 when it fits. */
  #seam(way: Way, piece: Piece, section: Section, place: number, usual: number, stride: number): number {
    const { edges, layout } = this.#input
    const wide = layout.mcuWide
    const { topMean, bottomMean } = edges
    const from = section.first - piece.first
    const until = from + Math.min(section.count, wide)
    let offset = 0
    if (!section.known) {
      let count = 0
      for (let i = from; i < until; i += stride) {
        const above = this.#above(way, place + i)
        if (above < 0) continue
        const lifted = bottomMean[above] + way.offsets[this.#pieceOf[above]]
        this.#differences[count++] = lifted - topMean[piece.first + i]
      }
      if (count === 0) return 0
      offset = medianOf(this.#differences, count)
    }
    const fits = FITS_FACTOR * usual + FITS_LEVELS
    let score = 0
    for (let i = from; i < until; i += stride) {
      const above = this.#above(way, place + i)
      if (above < 0) continue
      const lift = offset - way.offsets[this.#pieceOf[above]]
      const fit = 1 - Math.min(WORST, edges.mismatch(piece.first + i, above, lift, MOST) / fits)
      score += fit > 0 && way.source[place + i - wide] !== above ? fit * FARTHER_UP : fit
    }
    return score * stride
  }

  /** The MCU nearest above a position, -1 when there is none. */
  #above(way: Way, position: number): number {
    const { layout } = this.#input
    if (position >= layout.mcuCount) return -1
    let at = position - layout.mcuWide
    for (let rows = 0; rows < ROWS_UP && at >= 0; rows++, at -= layout.mcuWide) {
      if (way.source[at] >= 0) return way.source[at]
    }
    return -1
  }

  #others(way: Way, piece: Piece, index: number, main: Section, place: number, lost: number): number {
    const { layout, pieces, complete } = this.#input
    const last = index === pieces.length - 1
    let score = this.#standsAlone(piece, main, place) - this.#distanceCost(place - way.end, lost)
    if (piece.omitted !== undefined && place === way.end + piece.omitted) score += NOTHING_WRONG_WORTH
    if (complete && pieces[pieces.length - 1].flush && place === layout.mcuCount - this.#remaining[index]) {
      score += last ? END_WORTH : EXACT_WORTH
    }
    if (place + piece.count > layout.mcuCount) score -= place + piece.count - layout.mcuCount
    return score
  }

  /** What a gap of `gap` MCUs costs where `lost` would be usual. */
  #distanceCost(gap: number, lost: number): number {
    const heavy = DISTANCE_WEIGHT * Math.log1p(Math.abs(gap - lost))
    if (this.#lossRatio === undefined) return heavy
    const expected = lost * this.#lossRatio
    const off = Math.abs(gap - expected) / (USUAL_PART * expected + USUAL_MCUS)
    return COUNTED_WEIGHT * Math.min(MOST_OFF, off)
  }

  /** How many MCUs are missing in all, for each that the lost bits tell. */
  #ratio(): number | undefined {
    const { pieces, layout, complete, usualBits } = this.#input
    if (!complete || pieces.length < 2 || !pieces[pieces.length - 1].flush) return undefined
    let lost = 0
    for (let i = 0; i < pieces.length; i++) lost += this.#lostBits(pieces[i], i) / usualBits
    const ratio = (layout.mcuCount - this.#remaining[0]) / Math.max(1, lost)
    return ratio >= FEWEST_OF_EXPECTED && ratio <= MOST_OF_EXPECTED ? ratio : undefined
  }

  /** How badly what is to come fits into the room that a choice leaves. */
  #roomCost({ way, place }: Choice, index: number): number {
    const ratio = this.#lossRatio
    const { pieces, layout } = this.#input
    if (ratio === undefined) return 0
    const end = place === NOWHERE ? way.end : place + pieces[index].count
    const room = layout.mcuCount - end - this.#remaining[index + 1]
    const expected = this.#lostBehind[index] * ratio
    const cost = (ROOM_WEIGHT * Math.abs(room - expected)) / (ROOM_PART * expected + ROOM_MCUS)
    return Math.min(MOST_ROOM_COST, cost)
  }

  #standsAlone(piece: Piece, main: Section, place: number): number {
    let known = this.#alone.get(piece)
    if (!known) {
      known = new Map()
      this.#alone.set(piece, known)
    }
    let score = known.get(place)
    if (score === undefined) {
      const { reference } = this.#input
      score = this.#wraps.of(piece, place)
      if (reference) score += reference.agreement(main, place + main.first - piece.first)
      known.set(place, score)
    }
    return score
  }

  /** The way with a piece at the place chosen; what stood there gives way. */
  #put({ way, place, score, margin }: Choice, piece: Piece, index: number): Way {
    const { layout } = this.#input
    if (place === NOWHERE) {
      const places = [...way.places, NOWHERE]
      return { ...way, places, margins: [...way.margins, margin], offsets: [...way.offsets, 0], score }
    }
    const source = way.source.slice()
    const end = Math.min(layout.mcuCount, place + piece.count)
    for (let at = place; at < end; at++) source[at] = piece.first + at - place
    // pieces invented in front may stand beyond
    if (way.end > end && this.#input.pieces[index - 1]?.broken) source.fill(-1, end, way.end)
    return {
      source,
      places: [...way.places, place],
      margins: [...way.margins, margin],
      offsets: [...way.offsets, this.#offset(way, piece, place)],
      score,
      end,
    }
  }

  #offset(way: Way, piece: Piece, place: number): number {
    const { edges, layout } = this.#input
    if (piece.sections.every(({ known }) => known)) return 0
    let count = 0
    const rows = Math.min(piece.count, layout.mcuWide)
    for (let i = 0; i < rows; i++) {
      const above = this.#above(way, place + i)
      if (above < 0) continue
      this.#differences[count++] =
        edges.bottomMean[above] + way.offsets[this.#pieceOf[above]] - edges.topMean[piece.first + i]
    }
    return medianOf(this.#differences, count)
  }
}
