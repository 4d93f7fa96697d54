import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Reference } from '../preview/reference.ts'
import type { Piece, Section } from '../reading/pieces.ts'
import type { LossEvidence } from './losses.ts'
import type { Room } from './room.ts'
import { DISTANCES, type SeamEvidence } from './seam-evidence.ts'
import type { Way, WayReader } from './way.ts'
import type { WrapEvidence } from './wrap-evidence.ts'

/** A seam says no more against a place than that: the picture's own edges may lie along all of it. */
const MOST_AGAINST = 10
/**
 * All MCUs of a seam may differ at once as they usually do at another distance: an edge of the picture lies along it, or even
 * rows part them. So much that costs, by how often rows of photos do; what a seam tells of columns it tells then, too, but of
 * lost rows hardly anything.
 */
const OTHERWISE_APART = 4
/** What it is worth that a piece cut off on suspicion stands where nothing is wrong. */
const NOTHING_WRONG_WORTH = 30
/** The same where another place was seen to be better. */
const NOTHING_WRONG_DOUBTED = 8
/** What it is worth that the scan ends where the picture does. */
const END_WORTH = 200
/** What it costs for each MCU to stand beyond the picture's end. */
const BEYOND_COST = 1
/** What it costs for each MCU in front to give way that was not invented: as much as to leave it out. */
const GIVES_WAY_COST = 0.3

export interface EvidenceInput {
  readonly layout: McuLayout
  readonly pieces: readonly Piece[]
  readonly reader: WayReader
  readonly room: Room
  readonly seams: SeamEvidence
  readonly wraps: WrapEvidence
  readonly losses: LossEvidence
  readonly reference: Reference | undefined
}

/** What speaks for a piece to stand at a place behind others. */
export class PlaceEvidence {
  readonly #input: EvidenceInput
  /** The largest section of each piece. */
  readonly #main: readonly Section[]
  /** What does not depend on other pieces, by piece and place. */
  readonly #alone: readonly Map<number, number>[]
  /** What a seam with the piece in front says, by piece, distance and how finely it was looked at. */
  readonly #said = new Map<string, number>()
  /** What a seam says by distances that its MCUs may differ as, and as they lie. */
  readonly #sums = new Float64Array(DISTANCES.length + 1)

  constructor(input: EvidenceInput) {
    this.#input = input
    this.#main = input.pieces.map(({ sections }) =>
      sections.reduce((most, section) => (section.count > most.count ? section : most)),
    )
    this.#alone = input.pieces.map(() => new Map<number, number>())
  }

  /** How likely a piece is to stand at `place` of a way, by each `stride`th MCU of its seam: a logarithm. */
  of(way: Way, index: number, place: number, stride: number): number {
    return this.#seam(way, index, place, stride) + this.#others(way, index, place)
  }

  /** The stride by which a piece's seam is looked at with about so many samples. */
  strideFor(index: number, samples: number): number {
    const row = Math.min(this.#main[index].count, this.#input.layout.mcuWide)
    return Math.max(1, Math.floor(row / samples))
  }

  /**
   * How likely it is that pieces behind one that ends at `end` fit into the room that is left, and what it costs that some give
   * way.
   */
  toCome(index: number, end: number): number {
    const { room, losses } = this.#input
    if (!room.anchored) return 0
    const left = room.behind(index, end)
    return losses.behind(index, left) - GIVES_WAY_COST * Math.max(0, -left - losses.inventedFrom(index))
  }

  /** What a seam says; with the piece in front alone it is the same wherever both stand. */
  #seam(way: Way, index: number, place: number, stride: number): number {
    const { layout, pieces } = this.#input
    const { last } = way
    const gap = place - way.end
    const before = last < 0 ? undefined : pieces[last]
    const rows = 1 + Math.max(1, Math.ceil((gap + 1) / layout.mcuWide))
    const alone = before && !this.#main[index].known && gap >= 0 && before.count >= rows * layout.mcuWide
    if (!alone) return this.#rateSeam(way, index, place, stride)
    const key = `${index}/${last}/${gap}/${stride}`
    let score = this.#said.get(key)
    if (score === undefined) {
      score = this.#rateSeam(way, index, place, stride)
      this.#said.set(key, score)
    }
    return score
  }

  /** How well the first row of a piece's main section continues what lies above it: above 0 when it fits. */
  #rateSeam(way: Way, index: number, place: number, stride: number): number {
    const { layout, reader, seams } = this.#input
    const section = this.#main[index]
    const at = this.#placeOfMain(index, place)
    const offset = section.known ? 0 : reader.level(way, section, at, stride)
    if (offset === undefined) return 0
    const sums = this.#sums.fill(0)
    for (let i = 0; i < Math.min(section.count, layout.mcuWide); i += stride) {
      const rows = reader.rowsUp(way, at + i)
      if (rows === 0) continue
      const above = way.source[at + i - rows * layout.mcuWide]
      seams.add(section.first + i, above, offset - reader.lift(way, above), rows, sums)
    }
    const otherwise = Math.max(...sums.subarray(0, DISTANCES.length))
    return Math.max(-MOST_AGAINST, sums[DISTANCES.length] * stride, otherwise * stride - OTHERWISE_APART)
  }

  #others(way: Way, index: number, place: number): number {
    const { layout, pieces, losses, room } = this.#input
    const { count, omitted, slipped } = pieces[index]
    let score = this.#standsAlone(index, place)
    if (omitted !== undefined && place === way.end + omitted)
      score += slipped ? NOTHING_WRONG_DOUBTED : NOTHING_WRONG_WORTH
    else score += losses.of(index, place - way.end)
    score -= GIVES_WAY_COST * Math.max(0, way.end - place - losses.inventedBefore(index))
    const beyond = place + count - layout.mcuCount
    if (room.anchored && index === pieces.length - 1 && beyond === 0) score += END_WORTH
    return beyond > 0 ? score - BEYOND_COST * beyond : score
  }

  #standsAlone(index: number, place: number): number {
    const known = this.#alone[index]
    let score = known.get(place)
    if (score === undefined) {
      const { pieces, reference, wraps } = this.#input
      score = wraps.of(pieces[index], place)
      if (reference) score += reference.agreement(this.#main[index], this.#placeOfMain(index, place))
      known.set(place, score)
    }
    return score
  }

  #placeOfMain(index: number, place: number): number {
    return place + this.#main[index].first - this.#input.pieces[index].first
  }
}
