import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { Edges } from './edges.ts'
import { LossEvidence } from './losses.ts'
import type { Piece, Section } from './pieces.ts'
import type { Reference } from './reference.ts'
import { SeamEvidence } from './seam-evidence.ts'
import { medianOf } from './statistics.ts'
import { WrapEvidence } from './wrap-evidence.ts'

/** Ways of placing that are followed side by side, and places of a piece that each goes on with. */
const WAYS = 24
const BRANCHES = 6
/** Places so near a better one are not gone on with beside it. */
const BESIDE = 1
/** With more pieces than these only the best way is followed. */
const MANY_PIECES = 300
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
/** MCUs at a piece's end that may be invented, and how unlikely they must be together: a logarithm. */
const MOST_INVENTED = 160
const SURELY_INVENTED = 4
/** Where losses are counted by their bits: the most that one is looked for, by what is expected, with more pieces than these. */
const FEW_PIECES = 4
const MOST_OF_EXPECTED = 4
/** What it is worth that a piece cut off on suspicion stands where nothing is wrong. */
const NOTHING_WRONG_WORTH = 60
/** The same where another place was seen to be better. */
const NOTHING_WRONG_DOUBTED = 4
/** Places that are tried with every MCU, after all were with so many. */
const FINE = 64
const COARSE_SAMPLES = 40
/** What it is worth that the scan ends where the picture does. */
const END_WORTH = 200
/** What it costs for each MCU to stand beyond the picture's end. */
const BEYOND_COST = 1
/** Places tried of one piece at most: more cannot be told apart in the time there is. */
const MOST_PLACES = 60_000

/** Where pieces lie: the picture's positions by their MCU of the stream, -1 where nothing is. */
export interface Placement {
  readonly source: Int32Array
  /** Position of each piece's first MCU, -1 of those left out, and by how much its place is likelier than the next best elsewhere: a logarithm. */
  readonly places: readonly number[]
  readonly margins: readonly number[]
  /** Levels to be added to the luminance of an MCU of the stream. */
  readonly lift: (mcu: number) => number
}

interface Way {
  readonly source: Int32Array
  readonly places: readonly number[]
  readonly margins: readonly number[]
  /** Levels added to each piece's luminance where its DC is not absolute. */
  readonly offsets: readonly number[]
  readonly score: number
  readonly end: number
  /** The piece placed last, -1 at first. */
  readonly last: number
}

interface Choice {
  readonly way: Way
  readonly place: number
  readonly score: number
  readonly margin: number
  /** The score with what it leaves for pieces to come. */
  readonly rank: number
}

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
 * Finds the places of pieces by the likeliest of several ways followed side by side: how their first rows continue those above, where rows
 * end within them, what a preview shows, how many bits were lost, and where the scan ends.
 */
export class Placer {
  readonly #input: PlacerInput
  readonly #pieceOf: Int32Array
  /** 1 for MCUs whose DC is absolute. */
  readonly #known: Uint8Array
  readonly #remaining: number[]
  readonly #differences: Float32Array
  readonly #wraps: WrapEvidence
  readonly #seams: SeamEvidence
  readonly #losses: LossEvidence
  /** The scan's last bit is the last piece's: places are known from the end, too. */
  readonly #anchored: boolean
  /** What does not depend on other pieces, by piece and place. */
  readonly #alone = new Map<Piece, Map<number, number>>()
  /** What a seam with the piece in front says, by piece, distance and how finely it was looked at. */
  readonly #said = new Map<string, number>()

  constructor(input: PlacerInput) {
    this.#input = input
    const { pieces, layout, edges } = input
    const count = pieces.reduce((most, piece) => Math.max(most, piece.first + piece.count), 0)
    this.#pieceOf = new Int32Array(count)
    this.#known = new Uint8Array(count)
    pieces.forEach((piece, index) => {
      this.#pieceOf.fill(index, piece.first, piece.first + piece.count)
      for (const section of piece.sections)
        if (section.known) this.#known.fill(1, section.first, section.first + section.count)
    })
    this.#remaining = new Array<number>(pieces.length + 1).fill(0)
    for (let i = pieces.length - 1; i >= 0; i--) this.#remaining[i] = this.#remaining[i + 1] + pieces[i].count
    this.#differences = new Float32Array(layout.mcuWide + 1)
    this.#wraps = new WrapEvidence(input.coefficients, layout, input.quantisation)
    this.#seams = new SeamEvidence(edges, pieces, layout.mcuWide)
    this.#anchored = input.complete && pieces[pieces.length - 1].flush
    const missing = this.#anchored ? layout.mcuCount - this.#remaining[0] : undefined
    this.#losses = new LossEvidence(
      pieces,
      input.starts,
      input.usualBits,
      layout.mcuCount,
      missing,
      (piece) => this.#invented(piece),
    )
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
        last: -1,
      },
    ]
    const most = pieces.length > MANY_PIECES ? 1 : WAYS
    pieces.forEach((piece, index) => {
      const choices = ways.flatMap((way) => this.#choices(way, piece, index))
      choices.sort((a, b) => b.rank - a.rank)
      ways = this.#distinct(choices, piece, most).map((choice) => this.#put(choice, piece, index))
    })
    const [best, ...others] = ways
    const margins = best.places.map((place, index) => {
      const rival = others.find((way) => way.places[index] !== place)
      return Math.min(best.margins[index], rival ? best.score - rival.score : Number.POSITIVE_INFINITY)
    })
    return { source: best.source, places: best.places, margins, lift: (mcu) => this.#lift(best, mcu) }
  }

  /** The best choices; of those that leave the same to do only one. */
  #distinct(choices: readonly Choice[], piece: Piece, most: number): Choice[] {
    const seen = new Set<number>()
    const kept: Choice[] = []
    const closed = piece.count >= 2 * this.#input.layout.mcuWide
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
    const places = this.#range(way, piece, index)
    const chained = this.#chained(index)
    if (chained !== undefined && chained >= way.end && !places.includes(chained)) places.push(chained)
    const main = piece.sections.reduce((most, section) => (section.count > most.count ? section : most))
    const rate = (place: number, stride: number): number =>
      this.#seam(way, piece, index, main, place, stride) + this.#others(way, piece, index, main, place)
    const coarse = Math.max(1, Math.floor(Math.min(main.count, this.#input.layout.mcuWide) / COARSE_SAMPLES))
    let rated = places.map((place) => ({ place, score: rate(place, places.length > FINE ? coarse : 1) }))
    rated.sort((a, b) => b.score - a.score)
    if (places.length > FINE) {
      const end = rated.slice(FINE).filter(({ place }) => place === chained)
      rated = [...rated.slice(0, FINE), ...end].map(({ place }) => ({ place, score: rate(place, 1) }))
      rated.sort((a, b) => b.score - a.score)
    }
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
      rank: way.score + score + this.#toCome(way, place, index),
    }))
  }

  /** Where a piece stands if nothing is lost between it and the scan's end but what was cut out on suspicion; undefined where that is not known. */
  #chained(index: number): number | undefined {
    const { pieces, layout } = this.#input
    if (!this.#anchored) return undefined
    let place = layout.mcuCount
    for (let i = pieces.length - 1; i >= index; i--) {
      const { count, omitted } = pieces[i]
      place -= count
      if (i === index) return place
      if (omitted === undefined) return undefined
      place -= omitted
    }
    return undefined
  }

  /** MCUs at a piece's end that fit what lies above them within it so badly that they were probably invented in damage. */
  #invented({ first, count, broken }: Piece): number {
    const wide = this.#input.layout.mcuWide
    if (!broken) return 0
    let sum = 0
    let most = SURELY_INVENTED
    let invented = 0
    for (let i = 1; i <= MOST_INVENTED && count - i >= wide; i++) {
      const mcu = first + count - i
      sum -= this.#seams.of(mcu, mcu - wide, 0)
      if (sum > most) {
        most = sum
        invented = i
      }
    }
    return invented
  }

  #range(way: Way, piece: Piece, index: number): number[] {
    const { layout, pieces, complete } = this.#input
    const previous = pieces[index - 1]
    const first = Math.max(0, way.end - (previous?.broken ? OVERLAP : 0))
    const expected = this.#losses.expected(index)
    const room = layout.mcuCount - this.#remaining[index] + SLACK
    const near = way.end + MOST_OF_EXPECTED * expected + layout.mcuWide + OVERLAP
    const far = complete && pieces.length <= FEW_PIECES ? room : Math.min(room, near)
    const last = Math.min(layout.mcuCount - 1, Math.max(far, way.end + OVERLAP))
    const places: number[] = []
    const { step, phase } = piece
    const from = step > 1 ? first + ((((phase - first) % step) + step) % step) : first
    for (let place = from; place <= last && places.length < MOST_PLACES; place += step) places.push(place)
    const end = layout.mcuCount - this.#remaining[index]
    if (this.#anchored && step === 1 && end > last) places.push(end)
    if (places.length === 0) places.push(Math.min(from, layout.mcuCount - 1))
    return places
  }

  /** What a seam says; with the piece in front alone it is the same wherever both stand. */
  #seam(way: Way, piece: Piece, index: number, section: Section, place: number, stride: number): number {
    const wide = this.#input.layout.mcuWide
    const { last } = way
    const gap = place - way.end
    const before = last < 0 ? undefined : this.#input.pieces[last]
    const rows = 1 + Math.max(1, Math.ceil((gap + 1) / wide))
    const alone = before && !section.known && gap >= 0 && before.count >= rows * wide
    if (!alone) return this.#rateSeam(way, piece, section, place, stride)
    const key = `${index}/${last}/${gap}/${stride}`
    let score = this.#said.get(key)
    if (score === undefined) {
      score = this.#rateSeam(way, piece, section, place, stride)
      this.#said.set(key, score)
    }
    return score
  }

  /** How well a section's first row continues what lies above a place: above 0 when it fits. */
  #rateSeam(way: Way, piece: Piece, section: Section, place: number, stride: number): number {
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
        const lifted = bottomMean[above] + this.#lift(way, above)
        this.#differences[count++] = lifted - topMean[piece.first + i]
      }
      if (count === 0) return 0
      offset = medianOf(this.#differences, count)
    }
    let score = 0
    for (let i = from; i < until; i += stride) {
      const above = this.#above(way, place + i)
      if (above < 0) continue
      const lift = offset - this.#lift(way, above)
      const said = this.#seams.of(piece.first + i, above, lift)
      score += way.source[place + i - wide] !== above ? said * FARTHER_UP : said
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

  #others(way: Way, piece: Piece, index: number, main: Section, place: number): number {
    const { layout, pieces } = this.#input
    let score = this.#standsAlone(piece, main, place)
    if (piece.omitted !== undefined && place === way.end + piece.omitted)
      score += piece.slipped ? NOTHING_WRONG_DOUBTED : NOTHING_WRONG_WORTH
    else if (piece.step === 1) score += this.#losses.of(index, place - way.end)
    if (this.#anchored && index === pieces.length - 1 && place === layout.mcuCount - piece.count)
      score += END_WORTH
    const beyond = place + piece.count - layout.mcuCount
    return beyond > 0 ? score - BEYOND_COST * beyond : score
  }

  /** How likely it is that what is to come fits into the room that a choice leaves. */
  #toCome(way: Way, place: number, index: number): number {
    const { pieces, layout } = this.#input
    if (!this.#anchored) return 0
    const end = place === NOWHERE ? way.end : place + pieces[index].count
    return this.#losses.behind(index, layout.mcuCount - end - this.#remaining[index + 1])
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
    const { layout, pieces } = this.#input
    if (place === NOWHERE) {
      const places = [...way.places, NOWHERE]
      return { ...way, places, margins: [...way.margins, margin], offsets: [...way.offsets, 0], score }
    }
    const source = way.source.slice()
    const end = Math.min(layout.mcuCount, place + piece.count)
    for (let at = place; at < end; at++) source[at] = piece.first + at - place
    // pieces invented in front may stand beyond
    if (way.end > end && pieces[index - 1]?.broken) source.fill(-1, end, way.end)
    return {
      source,
      places: [...way.places, place],
      margins: [...way.margins, margin],
      offsets: [...way.offsets, this.#offset(way, piece, place)],
      score,
      end,
      last: index,
    }
  }

  #offset(way: Way, piece: Piece, place: number): number {
    const { edges, layout } = this.#input
    const free = piece.sections.find(({ known }) => !known)
    if (!free) return 0
    let count = 0
    const from = free.first - piece.first
    const until = from + Math.min(free.count, layout.mcuWide)
    for (let i = from; i < until; i++) {
      const above = this.#above(way, place + i)
      if (above < 0) continue
      this.#differences[count++] =
        edges.bottomMean[above] + this.#lift(way, above) - edges.topMean[piece.first + i]
    }
    return medianOf(this.#differences, count)
  }

  /** Levels to be added to an MCU's luminance. */
  #lift(way: Way, mcu: number): number {
    return this.#known[mcu] === 1 ? 0 : way.offsets[this.#pieceOf[mcu]]
  }
}
